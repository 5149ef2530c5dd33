#include "matrix_market_parser.hpp"

#include "matrix_market_header.hpp"
#include "text_cursor.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gyre::io {

namespace {

// An entry off the diagonal, as the pair of indices that it and its mirror share.
struct Place {
  std::int32_t low = 0;
  std::int32_t high = 0;
  bool above = false;
  std::size_t entry = 0;

  bool same_pair(const Place& other) const { return low == other.low && high == other.high; }
};

class MatrixMarketParser {
 public:
  MatrixMarketParser(std::string_view text, std::string_view name)
      : text_(text), name_(name), cursor_(text, name, '%') {}

  ParsedMatrix parse() {
    header_ = parse_matrix_market_header(cursor_);
    auto& entries = parsed_.entries;
    const auto count = static_cast<std::size_t>(header_.entries);
    const std::size_t copies = header_.symmetry == Symmetry::General ? 1 : 2;
    entries.row.reserve(count * copies);
    entries.col.reserve(count * copies);
    entries.val.reserve(count * copies);
    header_.is_array ? parse_array() : parse_coordinates();
    parse_end();
    if (!header_.is_array && header_.symmetry != Symmetry::General) check_sides();
    if (header_.symmetry != Symmetry::General) mirror();
    parsed_.rows = header_.rows;
    parsed_.cols = header_.cols;
    parsed_.is_array = header_.is_array;
    return std::move(parsed_);
  }

 private:
  void parse_coordinates() {
    for (std::int64_t k = 0; k < header_.entries; ++k) {
      if (!cursor_.next_line()) fail_truncated(k);
      const auto i_word = cursor_.next_word();
      const auto i = parse_index(i_word, "row", header_.rows);
      const auto j_word = cursor_.next_word();
      const auto j = parse_index(j_word, "column", header_.cols);
      if (i == j && header_.symmetry == Symmetry::SkewSymmetric) {
        cursor_.fail(i_word, "a skew-symmetric matrix has no entry on its diagonal");
      }
      const double value = header_.field == Field::Pattern ? 1 : parse_value(cursor_.next_word());
      if (const auto extra = cursor_.next_word(); !extra.empty()) {
        cursor_.fail(extra, header_.field == Field::Pattern
                                ? "an entry of a pattern is 'row column' and no more"
                                : "an entry is 'row column value' and no more");
      }
      parsed_.entries.add(i, j, value);
    }
  }

  std::int32_t parse_index(std::string_view word, const char* what, std::int64_t size) {
    if (word.empty()) {
      cursor_.fail(word, std::string("the entry ends before its ") + what);
    }
    std::int64_t value = 0;
    const auto fault = parse_number(word, value);
    if (fault == NumberFault::Malformed) {
      cursor_.fail(word, std::string("the ") + what + " must be an integer, not " + quoted(word));
    }
    if (fault == NumberFault::TooLarge || value < 1 || value > size) {
      cursor_.fail(word,
                   std::string(what) + " " + std::string(word.substr(0, 40)) +
                       " lies outside a matrix of " + size_text(header_) +
                       (value == 0 && fault == NumberFault::None ? "; indices start at 1" : ""));
    }
    return static_cast<std::int32_t>(value - 1);
  }

  double parse_value(std::string_view word) {
    if (word.empty()) cursor_.fail(word, "the entry has no value");
    double value = 0;
    switch (parse_number(word, value)) {
      case NumberFault::None: break;
      case NumberFault::Malformed: cursor_.fail(word, quoted(word) + " is not a number");
      case NumberFault::TooLarge: cursor_.fail(word, quoted(word) + " is too large for a double");
    }
    if (header_.field == Field::Integer && value != std::trunc(value)) {
      cursor_.fail(word, quoted(word) + " is not an integer, as the banner says values are");
    }
    return value;
  }

  // Column by column. Counting values, not columns: a matrix without rows may claim any number.
  void parse_array() {
    std::int64_t i = first_given_row(0);
    std::int64_t j = 0;
    for (std::int64_t k = 0; k < header_.entries; ++k) {
      const auto word = cursor_.next_word_anywhere();
      if (word.empty()) fail_truncated(k);
      parsed_.entries.add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j),
                          parse_value(word));
      if (++i == header_.rows) i = first_given_row(++j);
    }
  }

  // Where column `j` of an array begins: a symmetric one at its diagonal, a skew one below it.
  std::int64_t first_given_row(std::int64_t j) const {
    switch (header_.symmetry) {
      case Symmetry::General: return 0;
      case Symmetry::Symmetric: return j;
      case Symmetry::SkewSymmetric: return j + 1;
    }
    return 0;
  }

  [[noreturn]] void fail_truncated(std::int64_t found) {
    cursor_.fail({}, "the file ends after " + std::to_string(found) + " of " +
                         std::to_string(header_.entries) + " entries: it is truncated");
  }

  void parse_end() {
    if (const auto word = cursor_.next_word_anywhere(); !word.empty()) {
      cursor_.fail(word, "the file goes on after the " + std::to_string(header_.entries) +
                             " entries that its size line promises");
    }
  }

  // Refuses a pair of places given from both sides of the diagonal.
  void check_sides() {
    std::vector<Place> places;
    std::size_t above = 0;
    const auto& entries = parsed_.entries;
    for (std::size_t k = 0; k < entries.val.size(); ++k) {
      above += entries.row[k] < entries.col[k] ? 1 : 0;
    }
    // Nearly every file gives the lower triangle and nothing else.
    if (above == 0) return;
    for (std::size_t k = 0; k < entries.val.size(); ++k) {
      const auto [low, high] = std::minmax(entries.row[k], entries.col[k]);
      if (low != high) places.push_back({low, high, entries.row[k] == low, k});
    }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
      return std::tie(a.low, a.high, a.entry) < std::tie(b.low, b.high, b.entry);
    });
    for (std::size_t k = 1; k < places.size(); ++k) {
      if (places[k].same_pair(places[k - 1]) && places[k].above != places[k - 1].above) {
        fail_both_sides(places[k].entry);
      }
    }
  }

  // Lines are not kept while reading; this walks to the one that holds entry `k`.
  [[noreturn]] void fail_both_sides(std::size_t k) {
    cursor_ = TextCursor(text_, name_, '%');
    cursor_.next_raw_line();
    for (std::size_t line = 0; line < k + 2; ++line) cursor_.next_line();
    cursor_.fail(cursor_.next_word(),
                 "the entry stands on both sides of the diagonal, and the file says that it is "
                 "symmetric",
                 "give one triangle, or say 'general' in the banner");
  }

  void mirror() {
    auto& [row, col, val] = parsed_.entries;
    const std::size_t given = row.size();
    const double sign = header_.symmetry == Symmetry::SkewSymmetric ? -1 : 1;
    for (std::size_t k = 0; k < given; ++k) {
      if (row[k] != col[k]) parsed_.entries.add(col[k], row[k], sign * val[k]);
    }
  }

  std::string_view text_;
  std::string_view name_;
  TextCursor cursor_;
  MatrixMarketHeader header_;
  ParsedMatrix parsed_;
};

}  // namespace

ParsedMatrix parse_matrix_market(std::string_view text, std::string_view name) {
  return MatrixMarketParser(text, name).parse();
}

}  // namespace gyre::io
