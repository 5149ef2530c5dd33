#include "text_cursor.hpp"

#include "gyre/base/diagnostic.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <memory>

namespace gyre::io {

namespace {

// Past every exponent a double knows, and far from overflow.
constexpr std::int64_t huge_exponent = 1'000'000;

// Whether a number out of a double's range lies beyond its small end: the power of ten of its
// first digit that is not 0 decides.
bool is_tiny(std::string_view digits) {
  const auto mark = std::min(digits.find_first_of("eE"), digits.size());
  const auto mantissa = digits.substr(0, mark);
  const auto first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return true;
  const auto point = static_cast<std::int64_t>(std::min(mantissa.find('.'), mantissa.size()));
  std::int64_t exponent = 0;
  if (mark < digits.size()) {
    auto text = digits.substr(mark + 1);
    const bool negative = text.starts_with('-');
    if (text.starts_with('+') || negative) text.remove_prefix(1);
    const auto result = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (result.ec != std::errc() || exponent > huge_exponent) exponent = huge_exponent;
    if (negative) exponent = -exponent;
  }
  return point - static_cast<std::int64_t>(first) + exponent < 0;
}

NumberFault parse_plain(std::string_view word, double& value) {
  const char* const end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, value);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return NumberFault::Malformed;
  // Some library versions report a value past the range, others return infinity for it.
  const bool has_digits = word.find_first_of("0123456789") != std::string_view::npos;
  if (result.ec == std::errc() && !(std::isinf(value) && has_digits)) return NumberFault::None;
  const bool negative = word.starts_with('-');
  if (!is_tiny(negative ? word.substr(1) : word)) return NumberFault::TooLarge;
  value = negative ? -0.0 : 0.0;
  return NumberFault::None;
}

}  // namespace

NumberFault parse_number(std::string_view word, double& value) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-') || word.starts_with('+')) return NumberFault::Malformed;
  }
  const auto fortran_mark = word.find_first_of("dD");
  if (fortran_mark == std::string_view::npos) return parse_plain(word, value);
  std::string copy(word);
  copy[fortran_mark] = 'e';
  return parse_plain(copy, value);
}

NumberFault parse_number(std::string_view word, std::int64_t& value) {
  if (word.starts_with('+')) {
    word.remove_prefix(1);
    if (word.starts_with('-')) return NumberFault::Malformed;
  }
  const char* const end = word.data() + word.size();
  const auto result = std::from_chars(word.data(), end, value);
  if (result.ec == std::errc::invalid_argument || result.ptr != end) return NumberFault::Malformed;
  return result.ec == std::errc() ? NumberFault::None : NumberFault::TooLarge;
}

bool TextCursor::next_raw_line() {
  if (rest_.empty()) return false;
  const auto end = std::min(rest_.find('\n'), rest_.size());
  line_ = rest_.substr(0, end);
  line_rest_ = line_;
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++line_number_;
  return true;
}

bool TextCursor::next_line() {
  while (next_raw_line()) {
    const auto first = std::find_if_not(line_.begin(), line_.end(), is_blank);
    if (first != line_.end() && *first != comment_) return true;
  }
  return false;
}

std::string_view TextCursor::next_word_anywhere() {
  while (true) {
    if (const auto word = next_word(); !word.empty()) return word;
    if (!next_line()) return {};
  }
}

void TextCursor::fail(std::string_view word, const std::string& message,
                      const std::string& hint) const {
  constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
  const std::size_t end = line_.size() - (line_.ends_with('\r') ? 1 : 0);
  const std::size_t start =
      word.empty() ? end : static_cast<std::size_t>(word.data() - line_.data());
  SourceLoc loc;
  loc.line = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(line_number_, 1, largest));
  loc.column = static_cast<std::uint32_t>(std::min<std::uint64_t>(start + 1, largest));
  loc.length = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(word.size(), 1, largest));
  // The one line stands for the whole text, which may be gigabytes.
  loc.source = std::make_shared<const SourceText>(
      SourceText{std::string(name_), std::string(loc.line - 1, '\n') + std::string(line_)});
  Diagnostic fault;
  fault.message = message;
  fault.loc = loc;
  fault.hint = hint;
  std::string text = render(fault);
  if (text.ends_with('\n')) text.pop_back();
  throw UsageError(text);
}

std::string quoted(std::string_view word) {
  constexpr std::size_t longest = 40;
  std::string shown = "'";
  for (const char c : word.substr(0, longest)) {
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  }
  return shown + (word.size() > longest ? "...'" : "'");
}

}  // namespace gyre::io
