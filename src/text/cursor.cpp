#include "cursor.hpp"

#include <algorithm>
#include <utility>

namespace gyre::text {
namespace {

constexpr std::string_view statement_words[] = {
    "in",    "out",      "inout", "temp", "var",   "let",    "scatter", "foreach",
    "call",  "copy",     "fill",  "if",   "while", "do",     "for",     "switch",
    "break", "continue", "stop",  "case", "fork",  "default"};

constexpr std::string_view store_symbols[] = {
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "["};

}  // namespace

Cursor::Cursor(std::shared_ptr<const SourceText> source, Diagnostics& diagnostics)
    : source_(std::move(source)), diagnostics_(diagnostics), lexer_(source_->text) {
  for (Token& token : ahead_) token = scan();
}

Token Cursor::scan() {
  Token token = lexer_.next();
  std::uint32_t newlines = token.newlines_before;
  while (token.kind == TokenKind::Comment) {
    token = lexer_.next();
    newlines += token.newlines_before;
  }
  token.newlines_before = newlines;
  return token;
}

Token Cursor::take() {
  last_ = std::exchange(ahead_[0], ahead_[1]);
  ahead_[1] = scan();
  return last_;
}

bool Cursor::accept(std::string_view spelling) {
  if (!at(spelling)) return false;
  take();
  return true;
}

Token Cursor::expect(std::string_view spelling, std::string_view where) {
  if (!at(spelling)) {
    fail_expected("'" + std::string(spelling) + "'" + (where.empty() ? "" : " ") +
                  std::string(where));
  }
  return take();
}

Token Cursor::expect_name(std::string_view what) {
  if (at(TokenKind::Name)) return take();
  if (at(TokenKind::Keyword)) {
    fail("keyword-as-name", loc(),
         describe(peek()) + " is a keyword and cannot be " + std::string(what));
  }
  fail_expected(what);
}

void Cursor::open(std::string_view bracket, std::string_view where) {
  expect(bracket, where);
  ++brackets_;
}

void Cursor::close(std::string_view bracket, std::string_view where) {
  expect(bracket, where);
  --brackets_;
}

SourceLoc Cursor::loc(const Token& token) const {
  return {source_, token.line, token.column,
          std::max<std::uint32_t>(1, static_cast<std::uint32_t>(token.text.size()))};
}

void Cursor::report(std::string rule, const SourceLoc& loc, std::string message, std::string hint) {
  diagnostics_.error(std::move(rule), loc, std::move(message), std::move(hint));
  if (++errors_ >= Diagnostics::max_kept) throw GiveUp{};
}

void Cursor::fail(std::string rule, const SourceLoc& loc, std::string message, std::string hint) {
  report(std::move(rule), loc, std::move(message), std::move(hint));
  throw Abandon{};
}

void Cursor::fail_expected(std::string_view what, std::string hint) {
  if (at(TokenKind::Fault)) fail("bad-token", loc(), describe_fault(peek()));
  fail("syntax", loc(), "expected " + std::string(what) + ", found " + describe(peek()),
       std::move(hint));
}

bool Cursor::starts_statement() const {
  const Token& token = peek();
  if (token.kind == TokenKind::Keyword) {
    return std::find(std::begin(statement_words), std::end(statement_words), token.text) !=
           std::end(statement_words);
  }
  const Token& second = peek(1);
  return token.kind == TokenKind::Name && second.kind == TokenKind::Symbol &&
         std::find(std::begin(store_symbols), std::end(store_symbols), second.text) !=
             std::end(store_symbols);
}

void Cursor::skip_statement(const Token& start) {
  // Within brackets a new line says little: only what looks like a statement counts as one.
  const bool in_brackets = std::exchange(brackets_, 0) > 0;
  const auto may_start = [&] {
    return in_brackets ? starts_statement() : !at("else") && !at("and") && !at("{");
  };
  while (!at(TokenKind::End) && !at("}")) {
    if (accept(";")) return;
    const bool moved = peek().text.data() != start.text.data();
    if (moved && peek().newlines_before != 0 && may_start()) return;
    if (at("{")) {
      skip_block();
    } else {
      take();
    }
  }
}

void Cursor::skip_block() {
  std::size_t depth = 0;
  do {
    if (at("{")) ++depth;
    if (at("}")) --depth;
    take();
  } while (depth != 0 && !at(TokenKind::End));
}

}  // namespace gyre::text
