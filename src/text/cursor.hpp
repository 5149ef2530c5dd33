/// A place in the token stream, with the parser's way of failing and of going on after a fault.
#pragma once

#include "gyre/base/diagnostic.hpp"
#include "gyre/text/lexer.hpp"

#include <array>
#include <memory>
#include <string>
#include <string_view>

namespace gyre::text {

/// Thrown where the rest of a statement makes no sense any more. The fault is already reported;
/// whoever catches it goes on after the statement.
struct Abandon {};
/// Thrown once there are more errors than anybody reads.
struct GiveUp {};

/// Looks two tokens ahead, past comments.
class Cursor {
 public:
  Cursor(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics);

  const Token& peek(std::size_t ahead = 0) const { return ahead_[ahead]; }
  bool at(std::string_view spelling) const { return peek().is(spelling); }
  bool at(TokenKind kind) const { return peek().kind == kind; }
  /// Whether the next token begins a line where line ends count.
  bool at_line_start() const { return brackets_ == 0 && peek().newlines_before != 0; }
  /// The token taken last.
  const Token& last() const { return last_; }

  Token take();
  bool accept(std::string_view spelling);
  /// Takes `spelling` or fails; `where` ends the sentence "expected ')' …".
  Token expect(std::string_view spelling, std::string_view where);
  /// Takes a name that an object may have, or fails.
  Token expect_name(std::string_view what);

  /// Within brackets line ends do not count.
  void open(std::string_view bracket, std::string_view where);
  void close(std::string_view bracket, std::string_view where);

  SourceLoc loc(const Token& token) const;
  SourceLoc loc() const { return loc(peek()); }
  const std::shared_ptr<const SourceText>& source() const { return source_; }

  /// Reports a fault after which parsing goes on at once.
  void report(std::string rule, const SourceLoc& loc, std::string message, std::string hint = {});
  /// Reports "expected …" at the next token, or what is wrong with that token, and abandons.
  [[noreturn]] void fail_expected(std::string_view what, std::string hint = {});
  [[noreturn]] void fail(std::string rule, const SourceLoc& loc, std::string message,
                         std::string hint = {});

  /// After an Abandon in the statement that began with `start`: goes on to the next statement of
  /// the block, passing over whole blocks.
  void skip_statement(const Token& start);
  /// Passes over `{ … }`, however deep.
  void skip_block();

 private:
  Token scan();
  bool starts_statement() const;

  std::shared_ptr<const SourceText> source_;
  Diagnostics& diagnostics_;
  std::size_t errors_ = 0;
  Lexer lexer_;
  std::array<Token, 2> ahead_;
  Token last_;
  int brackets_ = 0;
};

}  // namespace gyre::text
