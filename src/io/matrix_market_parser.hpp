/// From the text of a Matrix Market file to its entries, symmetry expanded.
///
/// Leaves out what they are gathered into: that is matrix_market.cpp.
#pragma once

#include "gyre/io/csr_matrix.hpp"

#include <cstdint>
#include <string_view>

namespace gyre::io {

/// What a file says: every entry of both triangles, indices from 0, duplicates still apart.
struct ParsedMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// An array file gives each value of the matrix, zeros included.
  bool is_array = false;
  Triplets entries;
};

/// Throws UsageError, located, for a file that breaks the format.
ParsedMatrix parse_matrix_market(std::string_view text, std::string_view name);

}  // namespace gyre::io
