/// Arrays in files, for `gyre run --in name=FILE --out name=FILE`; the ending names the format.
///
///     .npy   NumPy's, every type (npy.hpp)
///     .mtx   Matrix Market, f64: a vector n x 1 or a matrix (matrix_market.hpp)
///     .txt   numbers between blanks, row-major, `#` opens a line of comment; carries no shape
///
/// Each is read through gzip too, with or without a further `.gz`. Leaves out raw bytes, whose type
/// nobody could check.
#pragma once

#include "gyre/io/array_data.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace gyre::io {

/// The array in `path` with elements of `type`: what the file holds is converted as convert_array
/// says. A .txt has rank 1; the caller knows what shape its elements make. Throws UsageError for an
/// unknown ending and for what is malformed (located, in a text).
ArrayData read_array(const std::string& path, ir::ScalarType type);

/// Writes `array` to `path`. A .txt has the last dimension along its lines; a .mtx takes f64 of
/// rank 1 or 2. Throws UsageError for an ending or a type that does not fit, EnvironmentError when
/// the file cannot be written.
void write_array(const std::string& path, const ArrayView& array);

/// Throws the UsageError that write_array would throw for the ending, type or rank: asked before
/// long work, of which the array is the result.
void verify_array_path(const std::string& path, ir::ScalarType type, std::size_t rank);

/// The elements of a .txt file; `true` and `false` are a bool's 1 and 0.
ArrayData parse_array_text(std::string_view text, std::string_view name, ir::ScalarType type);
/// The text of a .txt file: each value in the fewest digits that read back as the same.
std::string print_array_text(const ArrayView& array);

}  // namespace gyre::io
