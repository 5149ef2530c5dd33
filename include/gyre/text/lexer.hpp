/// Tokens of a `.gyre` text.
///
/// The lexer is total: any bytes give tokens, a fault being a token of its own that says what is
/// wrong with it. It streams, so that ten megabytes of garbage cost no memory. Leaves out
/// diagnostics: the parser decides which faulty tokens are worth a word.
#pragma once

#include "gyre/base/source_loc.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace gyre::text {

enum class TokenKind : std::uint8_t {
  Name,
  Keyword,
  /// Digits, without a sign.
  Integer,
  /// A number with a point or an exponent, without a sign.
  Number,
  /// In double quotes, escapes included; `unescape` gives its value.
  String,
  /// An operator or punctuation.
  Symbol,
  /// `#` to the end of the line.
  Comment,
  /// What is no token; `describe_fault` says why.
  Fault,
  End,
};

struct Token {
  TokenKind kind = TokenKind::End;
  std::string_view text;
  std::uint32_t line = 1;
  /// In bytes, from 1.
  std::uint32_t column = 1;
  /// Line ends between the token before and this one.
  std::uint32_t newlines_before = 0;

  /// Whether this is the keyword or the symbol `spelling`.
  bool is(std::string_view spelling) const {
    return (kind == TokenKind::Symbol || kind == TokenKind::Keyword) && text == spelling;
  }
};

/// Splits a text into tokens. The text outlives the lexer and the tokens.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  /// The next token; End again and again once the text is over.
  Token next();
  /// Where the next token is looked for, in bytes from the start.
  std::size_t offset() const { return at_; }

 private:
  void skip_space();
  TokenKind scan();
  TokenKind scan_number();
  TokenKind scan_string();
  TokenKind scan_symbol();
  TokenKind scan_unknown();
  char byte(std::size_t ahead = 0) const;

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t newlines_ = 0;
};

/// Whether `word` is reserved.
bool is_keyword(std::string_view word);
/// Whether `word` could name an object: letters, digits and `_`, no digit first, not reserved.
bool is_name(std::string_view word);

/// What is wrong with a token of kind Fault, in one sentence.
std::string describe_fault(const Token& token);
/// `'while'`, `end of file`, …: a token as messages name it.
std::string describe(const Token& token);
/// `bytes` for a message: what cannot be printed as `\x00`, what is long cut short.
std::string printable(std::string_view bytes);

/// The value of a string token: `\"`, `\\`, `\n`, `\t` and `\xHH` replaced.
std::string unescape(std::string_view quoted);
/// The string token whose value is `value`.
std::string escape(std::string_view value);

}  // namespace gyre::text
