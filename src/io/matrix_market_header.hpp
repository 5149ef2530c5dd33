/// The first lines of a Matrix Market file: the banner and the size line.
///
/// Leaves out the entries; those are matrix_market_parser.hpp.
#pragma once

#include "gyre/io/matrix_market.hpp"
#include "text_cursor.hpp"

#include <cstdint>
#include <string>

namespace gyre::io {

enum class Field { Real, Integer, Pattern };

struct MatrixMarketHeader {
  bool is_array = false;
  Field field = Field::Real;
  Symmetry symmetry = Symmetry::General;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  /// Entries that follow: promised by a coordinate file, implied by the shape of an array.
  std::int64_t entries = 0;
};

/// `rows x cols` as messages show it.
std::string size_text(const MatrixMarketHeader& header);

/// Takes the banner and the size line; the cursor is then at the first entry. Sizes are below 2^31
/// and the entries no more than the rest of the text has room for. Throws UsageError, located.
MatrixMarketHeader parse_matrix_market_header(TextCursor& cursor);

/// How many rows or values a file of `bytes` may ask room for without giving them.
constexpr std::int64_t claimable(std::size_t bytes) {
  constexpr std::int64_t always = std::int64_t{1} << 24;
  return static_cast<std::int64_t>(bytes) > always ? static_cast<std::int64_t>(bytes) : always;
}

}  // namespace gyre::io
