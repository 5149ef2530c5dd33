/// A walk over the lines and words of a data file that knows where it stands, so that every fault
/// can be shown with its line.
///
/// Leaves out what the words mean, but for numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gyre::io {

/// Whether `word` was a number, and why not.
enum class NumberFault { None, Malformed, TooLarge };

/// Reads `word`, all of it, as a decimal number into `value`: Fortran's `1.D+05` and `1d5`, `+3`,
/// `.5`, `inf` and `nan` too. Too small for a double rounds to 0; too large is a fault.
NumberFault parse_number(std::string_view word, double& value);

/// Reads `word`, all of it, as an integer into `value`. Past 64 bits is TooLarge.
NumberFault parse_number(std::string_view word, std::int64_t& value);

/// Stands on one line of a text; words are what blanks separate.
class TextCursor {
 public:
  /// Lines whose first word begins with `comment` are passed over, and so are blank ones. Text and
  /// name must outlive the cursor.
  TextCursor(std::string_view text, std::string_view name, char comment)
      : size_(text.size()), rest_(text), name_(name), comment_(comment) {}

  /// Moves to the next line as it stands, comment or not; false at the end of the text.
  bool next_raw_line();
  /// Moves to the next line with words on it; false at the end of the text.
  bool next_line();
  /// Takes the next word of the line; empty at its end.
  std::string_view next_word() {
    std::size_t start = 0;
    while (start < line_rest_.size() && is_blank(line_rest_[start])) ++start;
    std::size_t end = start;
    while (end < line_rest_.size() && !is_blank(line_rest_[end])) ++end;
    const auto word = line_rest_.substr(start, end - start);
    line_rest_.remove_prefix(end);
    return word;
  }
  /// Takes the next word of the text, of whichever line; empty at its end.
  std::string_view next_word_anywhere();

  /// The bytes of the whole text.
  std::size_t size() const { return size_; }
  /// How many bytes follow the line the cursor stands on.
  std::size_t bytes_left() const { return rest_.size(); }

  /// Throws UsageError: `file:line:col: error: message` with the line and a caret under `word`,
  /// which must be a part of the line; an empty word points at the line's end.
  [[noreturn]] void fail(std::string_view word, const std::string& message,
                         const std::string& hint = {}) const;

 private:
  static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
  }

  std::size_t size_;
  std::string_view rest_;
  std::string_view name_;
  char comment_;
  std::string_view line_;
  std::string_view line_rest_;
  std::uint64_t line_number_ = 0;
};

/// `word` as a message shows it: quoted, and cut where it is long.
std::string quoted(std::string_view word);

}  // namespace gyre::io
