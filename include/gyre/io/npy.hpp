/// NumPy's .npy files.
///
/// Read are format versions 1 to 3, little-endian, in C order (a one-dimensional array in Fortran's
/// is the same); written is version 1. Types are NumPy's `?` (bool), `<i4`, `<i8`, `<f2` (f16),
/// `<f4` and `<f8`. NumPy has no bf16: such an array is two raw bytes an element, `<V2`, as
/// `numpy.save` writes those of the ml_dtypes package.
#pragma once

#include "gyre/io/array_data.hpp"

#include <string>
#include <string_view>

namespace gyre::io {

/// The array in the bytes of a .npy file; `name` opens the message of an error. Throws UsageError
/// for a file that is damaged, truncated or of another type or order.
ArrayData parse_npy(std::string_view bytes, std::string_view name);

/// The bytes of a .npy file that holds `array`.
std::string print_npy(const ArrayView& array);

}  // namespace gyre::io
