/// The content of a buffer outside of any executor: type, extents and bytes.
///
/// Leaves out files; those are array_file.hpp and npy.hpp.
#pragma once

#include "gyre/ir/scalar_type.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gyre::io {

/// An array that somebody else owns: elements of `type` side by side, row-major, as buffers have
/// them.
struct ArrayView {
  ir::ScalarType type = ir::ScalarType::F64;
  std::span<const std::int64_t> extents;
  std::span<const std::byte> bytes;
};

/// An array of its own, rank 1 to 4.
struct ArrayData {
  ir::ScalarType type = ir::ScalarType::F64;
  std::vector<std::int64_t> extents;
  std::vector<std::byte> bytes;

  ArrayView view() const { return {type, extents, bytes}; }
};

/// One element between two types: what is an integer stays one, all 64 bits of it.
struct ArrayElement {
  bool is_integer = false;
  std::int64_t integer = 0;
  double real = 0;
};

/// Element `k` of `array`.
ArrayElement load_element(const ArrayView& array, std::size_t k);

/// Stores `element` at `place` as `type`; false, and nothing stored, where `type` cannot hold it.
/// Floats round to nearest (f16 and bf16 through f32) and hold everything but a finite value that
/// would become infinite; integers and bool hold only what they hold exactly.
bool store_element(const ArrayElement& element, ir::ScalarType type, std::byte* place);

/// `array` with elements of `type`. Throws UsageError naming the first element that `type` cannot
/// hold, in the sense of store_element; `name` opens the message.
ArrayData convert_array(ArrayData array, ir::ScalarType type, std::string_view name);

/// The number of elements, the product of `extents`. Throws UsageError unless the rank is 1 to 4,
/// no extent is negative, and the bytes are as many as the elements need.
std::size_t verify_array(const ArrayView& array);

}  // namespace gyre::io
