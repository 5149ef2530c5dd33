#include "matrix_market_header.hpp"

#include <limits>
#include <string>

namespace gyre::io {

namespace {

constexpr std::int64_t largest_index = std::numeric_limits<std::int32_t>::max();

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

class HeaderParser {
 public:
  explicit HeaderParser(TextCursor& cursor) : cursor_(cursor) {}

  MatrixMarketHeader parse() {
    parse_banner();
    parse_size();
    return header_;
  }

 private:
  // %%MatrixMarket matrix coordinate real general
  void parse_banner() {
    const bool has_line = cursor_.next_raw_line();
    const auto banner = has_line ? cursor_.next_word() : std::string_view{};
    if (lower_case(banner) != "%%matrixmarket") {
      cursor_.fail(banner,
                   "this is no Matrix Market file: its first line must begin with "
                   "'%%MatrixMarket'",
                   "for example '%%MatrixMarket matrix coordinate real general'");
    }
    const auto object = cursor_.next_word();
    if (lower_case(object) != "matrix") refuse_word(object, "object", "'matrix'");
    const auto format = cursor_.next_word();
    const auto format_name = lower_case(format);
    if (format_name != "coordinate" && format_name != "array") {
      refuse_word(format, "format", "'coordinate' or 'array'");
    }
    header_.is_array = format_name == "array";
    parse_field(cursor_.next_word());
    parse_symmetry(cursor_.next_word());
    if (const auto extra = cursor_.next_word(); !extra.empty()) {
      cursor_.fail(extra, "the banner has a word too many");
    }
  }

  [[noreturn]] void refuse_word(std::string_view word, const std::string& what,
                                const std::string& expected) {
    cursor_.fail(word, word.empty()
                           ? "the banner ends before its " + what + "; expected " + expected
                           : "unknown " + what + " " + quoted(word) + "; expected " + expected);
  }

  void parse_field(std::string_view word) {
    const auto name = lower_case(word);
    if (name == "complex") cursor_.fail(word, "complex matrices are not supported");
    if (name == "real" || name == "double") {
      header_.field = Field::Real;
    } else if (name == "integer") {
      header_.field = Field::Integer;
    } else if (name == "pattern") {
      header_.field = Field::Pattern;
      if (header_.is_array) cursor_.fail(word, "an array has values, so it cannot be a pattern");
    } else {
      refuse_word(word, "field", "'real', 'integer' or 'pattern'");
    }
  }

  void parse_symmetry(std::string_view word) {
    const auto name = lower_case(word);
    if (name == "hermitian") {
      cursor_.fail(word, "hermitian matrices are complex, which is not supported");
    }
    if (name == "general") {
      header_.symmetry = Symmetry::General;
    } else if (name == "symmetric") {
      header_.symmetry = Symmetry::Symmetric;
    } else if (name == "skew-symmetric") {
      header_.symmetry = Symmetry::SkewSymmetric;
      if (header_.field == Field::Pattern) {
        cursor_.fail(word, "a pattern has no signs, so it cannot be skew-symmetric");
      }
    } else {
      refuse_word(word, "symmetry", "'general', 'symmetric' or 'skew-symmetric'");
    }
  }

  void parse_size() {
    if (!cursor_.next_line()) cursor_.fail({}, "the file ends before its size line");
    header_.rows = parse_extent("number of rows");
    header_.cols = parse_extent("number of columns");
    if (header_.symmetry != Symmetry::General && header_.rows != header_.cols) {
      cursor_.fail({}, "a matrix of " + size_text(header_) + " cannot be symmetric");
    }
    header_.entries = header_.is_array ? array_values() : parse_extent("number of entries");
    if (const auto extra = cursor_.next_word(); !extra.empty()) {
      cursor_.fail(extra, header_.is_array ? "the size line of an array is 'rows columns'"
                                           : "the size line is 'rows columns entries'");
    }
    if (header_.entries > most_entries()) {
      cursor_.fail({}, "the size line promises " + std::to_string(header_.entries) +
                           " entries, and only " + std::to_string(cursor_.bytes_left()) +
                           " bytes follow: the file is truncated");
    }
    if (header_.entries > largest_index) {
      cursor_.fail({}, "the file has " + std::to_string(header_.entries) +
                           " entries; sparse indices have 32 bits, so they must stay below "
                           "2147483648");
    }
    if (header_.rows > claimable(cursor_.size())) {
      cursor_.fail({}, "the size line asks for " + std::to_string(header_.rows) +
                           " rows, and nearly all would be empty: the file has " +
                           std::to_string(cursor_.size()) + " bytes");
    }
  }

  std::int64_t parse_extent(const std::string& what) {
    const auto word = cursor_.next_word();
    if (word.empty()) cursor_.fail(word, "the size line ends before the " + what);
    std::int64_t value = 0;
    const auto fault = parse_number(word, value);
    if (fault == NumberFault::Malformed || word.starts_with('-')) {
      cursor_.fail(word, "the " + what + " must be a count, not " + quoted(word));
    }
    // An array's rows times columns then fits 64 bits.
    if (fault == NumberFault::TooLarge || (value > largest_index && !what.ends_with("entries"))) {
      cursor_.fail(word, "the " + what + " is " + quoted(word) +
                             "; sparse indices have 32 bits, so it must stay below 2147483648");
    }
    return value;
  }

  // The shortest entries there are: `1` in an array, `1 1` in a pattern, else `1 1 1`; each, but
  // for the last, with something that ends it.
  std::int64_t most_entries() const {
    std::size_t shortest = 6;
    if (header_.field == Field::Pattern) shortest = 4;
    if (header_.is_array) shortest = 2;
    return static_cast<std::int64_t>((cursor_.bytes_left() + 1) / shortest);
  }

  std::int64_t array_values() const {
    const std::int64_t n = header_.rows;
    switch (header_.symmetry) {
      case Symmetry::General: return n * header_.cols;
      case Symmetry::Symmetric: return n * (n + 1) / 2;
      case Symmetry::SkewSymmetric: return n == 0 ? 0 : n * (n - 1) / 2;
    }
    return 0;
  }

  TextCursor& cursor_;
  MatrixMarketHeader header_;
};

}  // namespace

std::string size_text(const MatrixMarketHeader& header) {
  return std::to_string(header.rows) + " x " + std::to_string(header.cols);
}

MatrixMarketHeader parse_matrix_market_header(TextCursor& cursor) {
  return HeaderParser(cursor).parse();
}

}  // namespace gyre::io
