/// What a caller gives to a run: sizes, scalars and buffers, by name.
#pragma once

#include "gyre/ir/value.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace gyre::ir {

/// Memory of the caller's, row-major; the view owns nothing. A scalar is a view without extents.
struct BufferView {
  ScalarType type = ScalarType::Invalid;
  std::vector<std::int64_t> extents = {};
  void* data = nullptr;
  /// Other than 0: of an input whose elements stay as they are, so that a copy of one view serves
  /// all of that number; of an output that stays where the program runs and is never copied here.
  std::uint64_t edition = 0;

  std::int64_t element_count() const;
};

/// `f64[4, 5]`: a buffer's type and extents as messages say them.
std::string shape_text(ScalarType type, std::span<const std::int64_t> extents);

/// The values of one run. Sizes that follow from a bound buffer's extents may be left out
/// (bind.hpp).
struct Arguments {
  std::map<std::string, std::int64_t> sizes = {};
  std::map<std::string, Value> scalars = {};
  std::map<std::string, BufferView> buffers = {};
};

/// Element `at` of memory that holds elements of `type`, as loaded (f16 and bf16 as f32).
Value load_element(ScalarType type, const void* data, std::int64_t at);
/// Stores `value`, of the loaded type of `type`.
void store_element(ScalarType type, void* data, std::int64_t at, const Value& value);

}  // namespace gyre::ir
