#include "gyre/text/lexer.hpp"

#include "utf8.hpp"

#include <algorithm>
#include <array>

namespace gyre::text {
namespace {

constexpr std::string_view keywords[] = {
    "program", "size", "in",   "out",   "inout",    "temp",        "var",  "let",   "scatter",
    "foreach", "step", "call", "copy",  "fill",     "independent", "team", "warp",  "block",
    "if",      "else", "do",   "while", "limit",    "expect",      "for",  "fork",  "and",
    "switch",  "case", "stop", "break", "continue", "default",     "true", "false", "inf",
    "nan",     "bool", "i32",  "i64",   "f32",      "f64",         "f16",  "bf16"};

constexpr std::string_view symbols[] = {"..", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<",
                                        ">>", "<=", ">=", "==", "!=", "&&", "||", "+",  "-",  "*",
                                        "/",  "%",  "&",  "|",  "^",  "!",  "~",  "<",  ">",  "=",
                                        "(",  ")",  "{",  "}",  "[",  "]",  ",",  ":",  ";"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_word(char c) {
  return is_letter(c) || is_digit(c);
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

char Lexer::byte(std::size_t ahead) const {
  return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
}

void Lexer::skip_space() {
  for (; at_ < text_.size() && is_space(text_[at_]); ++at_) {
    if (text_[at_] != '\n') continue;
    ++line_;
    ++newlines_;
    line_start_ = at_ + 1;
  }
}

Token Lexer::next() {
  newlines_ = 0;
  skip_space();
  Token token;
  token.line = line_;
  token.column = static_cast<std::uint32_t>(at_ - line_start_ + 1);
  token.newlines_before = newlines_;
  const std::size_t start = at_;
  token.kind = scan();
  token.text = text_.substr(start, at_ - start);
  if (token.kind == TokenKind::Name && is_keyword(token.text)) token.kind = TokenKind::Keyword;
  return token;
}

TokenKind Lexer::scan() {
  if (at_ >= text_.size()) return TokenKind::End;
  const char c = byte();
  if (c == '#') {
    at_ = std::min(text_.find('\n', at_), text_.size());
    return TokenKind::Comment;
  }
  if (is_letter(c)) {
    while (is_word(byte())) ++at_;
    return TokenKind::Name;
  }
  if (is_digit(c) || (c == '.' && is_digit(byte(1)))) return scan_number();
  if (c == '"') return scan_string();
  return scan_symbol();
}

TokenKind Lexer::scan_number() {
  const auto digits = [this] {
    while (is_digit(byte())) ++at_;
  };
  TokenKind kind = byte() == '.' ? TokenKind::Fault : TokenKind::Integer;
  digits();
  // The point of `0..n` belongs to the range.
  if (byte() == '.' && byte(1) != '.') {
    ++at_;
    digits();
    if (kind == TokenKind::Integer) kind = TokenKind::Number;
  }
  if (byte() == 'e' || byte() == 'E') {
    const std::size_t sign = byte(1) == '+' || byte(1) == '-' ? 1 : 0;
    if (is_digit(byte(1 + sign))) {
      at_ += 1 + sign;
      digits();
      if (kind == TokenKind::Integer) kind = TokenKind::Number;
    }
  }
  if (!is_word(byte())) return kind;
  while (is_word(byte())) ++at_;
  return TokenKind::Fault;
}

TokenKind Lexer::scan_string() {
  const std::size_t start = at_++;
  while (at_ < text_.size() && byte() != '\n' && byte() != '"') {
    const bool escaped = byte() == '\\' && at_ + 1 < text_.size() && byte(1) != '\n';
    at_ += escaped ? 2 : 1;
  }
  if (byte() != '"') return TokenKind::Fault;
  ++at_;
  const Token token{.kind = TokenKind::Fault, .text = text_.substr(start, at_ - start)};
  return describe_fault(token).empty() ? TokenKind::String : TokenKind::Fault;
}

TokenKind Lexer::scan_symbol() {
  const std::string_view rest = text_.substr(at_, 2);
  for (const std::string_view symbol : symbols) {
    if (!rest.starts_with(symbol)) continue;
    at_ += symbol.size();
    return TokenKind::Symbol;
  }
  return scan_unknown();
}

// A run of one unknown character is one fault; so is a run of bytes that are no text.
TokenKind Lexer::scan_unknown() {
  const std::size_t start = at_;
  const std::size_t length = utf8_length(text_.substr(at_));
  if (length == 0) {
    while (at_ < text_.size() && utf8_length(text_.substr(at_)) == 0) ++at_;
    return TokenKind::Fault;
  }
  const std::string_view character = text_.substr(start, length);
  while (text_.substr(at_, length) == character) at_ += length;
  return TokenKind::Fault;
}

bool is_keyword(std::string_view word) {
  static const auto sorted = [] {
    auto copy = std::to_array(keywords);
    std::sort(copy.begin(), copy.end());
    return copy;
  }();
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

bool is_name(std::string_view word) {
  return !word.empty() && is_letter(word.front()) &&
         std::all_of(word.begin(), word.end(), is_word) && !is_keyword(word);
}

}  // namespace gyre::text
