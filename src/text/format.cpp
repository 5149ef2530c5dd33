#include "gyre/text/format.hpp"

#include "gyre/text/lexer.hpp"
#include "gyre/text/parser.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gyre::text {
namespace {

template <std::size_t count>
bool is_one_of(const Token& token, const std::string_view (&spellings)[count]) {
  return std::any_of(std::begin(spellings), std::end(spellings),
                     [&](std::string_view spelling) { return token.is(spelling); });
}

/// Whether a statement or an operand may end with `token`.
bool may_end(const Token& token) {
  static constexpr std::string_view words[] = {")",   "]",    "}",    "true",  "false",   "inf",
                                               "nan", "bool", "i32",  "i64",   "f32",     "f64",
                                               "f16", "bf16", "size", "break", "continue"};
  return token.kind == TokenKind::Name || token.kind == TokenKind::Integer ||
         token.kind == TokenKind::Number || token.kind == TokenKind::String ||
         is_one_of(token, words);
}

/// Whether a statement may begin with `token`, which begins a line.
bool may_begin(const Token& token) {
  static constexpr std::string_view words[] = {
      "in",   "out",   "inout", "temp",     "var",   "let",    "scatter", "foreach",
      "call", "copy",  "fill",  "if",       "while", "do",     "for",     "switch",
      "fork", "break", "stop",  "continue", "case",  "default"};
  return token.kind == TokenKind::Name || is_one_of(token, words);
}

bool heads_block(const Token& token) {
  static constexpr std::string_view words[] = {"program", "foreach", "if",     "while",
                                               "do",      "for",     "switch", "case",
                                               "default", "fork",    "else",   "and"};
  return is_one_of(token, words);
}

// Follows the block of the arm before it.
bool heads_next_arm(const Token& token) {
  return token.is("else") || token.is("and");
}

bool is_type_word(const Token& token) {
  static constexpr std::string_view words[] = {"bool", "i32", "i64", "f32", "f64", "f16", "bf16"};
  return is_one_of(token, words);
}

/// Lays out tokens one after the other: only what stands between two tokens is chosen here.
class Layout {
 public:
  std::string run(std::string_view text) {
    Lexer lexer(text);
    for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
      if (token.kind == TokenKind::Comment) {
        place_comment(token);
      } else if (token.is(";")) {
        ended_ = true;
      } else {
        place(token);
      }
    }
    if (!out_.empty()) out_ += "\n";
    return std::move(out_);
  }

 private:
  enum class Gap { None, Space, Line };

  void place_comment(const Token& token) {
    std::string_view text = token.text;
    text = text.substr(0, text.find_last_not_of(" \t\r\v\f") + 1);
    if (token.newlines_before == 0 && !out_.empty()) {
      out_ += "  ";
    } else {
      const bool between = last_.kind == TokenKind::End || last_.is("{") || ended_ ||
                           (may_end(last_) && brackets_ == 0 && !awaits_block_);
      start_line(token, !between);
    }
    out_ += text;
    after_comment_ = true;
  }

  void place(const Token& token) {
    const bool closes = token.is("}");
    const bool begins = !closes && begins_statement(token);
    const bool joins = joins_closed_block(token) || (token.is("{") && awaits_block_);
    const bool closes_do = closes && !blocks_.empty() && blocks_.back();
    if (closes && !blocks_.empty()) blocks_.pop_back();
    switch (gap_before(token, begins, joins)) {
      case Gap::None: break;
      case Gap::Space: out_ += ' '; break;
      case Gap::Line: start_line(token, !begins && !closes && !joins); break;
    }
    out_ += token.text;
    note(token, begins);
    after_do_ = closes_do;
  }

  bool begins_statement(const Token& token) const {
    if (out_.empty() || last_.kind == TokenKind::End || last_.is("{")) return true;
    if (last_.is("}")) return !joins_closed_block(token);
    if (brackets_ != 0 || awaits_block_) return false;
    if (ended_) return true;
    return token.newlines_before != 0 && may_end(last_) && may_begin(token);
  }

  bool joins_closed_block(const Token& token) const {
    return last_.is("}") && (heads_next_arm(token) || (after_do_ && token.is("while")));
  }

  Gap gap_before(const Token& token, bool begins, bool joins) const {
    if (out_.empty()) return Gap::None;
    if (last_.is("{") && token.is("}") && !after_comment_) return Gap::None;
    if (after_comment_ || begins || token.is("}") || last_.is("{")) return Gap::Line;
    if (joins) return Gap::Space;
    if (token.newlines_before != 0 && last_.kind != TokenKind::End) return Gap::Line;
    return gap_within_line(token);
  }

  Gap gap_within_line(const Token& token) const {
    static constexpr std::string_view tight_before[] = {")", "]", ",", ":"};
    static constexpr std::string_view tight_after[] = {"(", "[", "!", "~"};
    if (is_one_of(token, tight_before) || is_one_of(last_, tight_after) || after_sign_) {
      return Gap::None;
    }
    // `1.` and `..` would run together.
    if (token.is("..") || last_.is("..")) {
      return last_.text.ends_with('.') && !last_.is("..") ? Gap::Space : Gap::None;
    }
    const bool called = last_.kind == TokenKind::Name || is_type_word(last_);
    if ((token.is("(") || token.is("[")) && called) return Gap::None;
    return Gap::Space;
  }

  void start_line(const Token& token, bool continues) {
    if (out_.empty()) return;
    out_ += "\n";
    const bool at_edge = token.is("}") || (last_.is("{") && !after_comment_);
    if (token.newlines_before > 1 && !continues && !at_edge) out_ += "\n";
    out_.append(2 * blocks_.size() + (continues ? 4 : 0), ' ');
  }

  void note(const Token& token, bool begins) {
    after_sign_ = token.is("-") && !may_end(last_);
    if (begins || heads_next_arm(token)) awaits_block_ = heads_block(token);
    if (token.is("{")) {
      blocks_.push_back(last_.is("do"));
      awaits_block_ = false;
    }
    if (token.is("(") || token.is("[")) ++brackets_;
    if (token.is(")") || token.is("]")) --brackets_;
    after_comment_ = false;
    ended_ = false;
    last_ = token;
  }

  std::string out_;
  /// The last token that is no comment.
  Token last_;
  /// For each open block, whether it is the body of a `do`.
  std::vector<bool> blocks_;
  int brackets_ = 0;
  bool awaits_block_ = false;
  /// Whether the block just closed was the body of a `do`.
  bool after_do_ = false;
  bool after_sign_ = false;
  bool after_comment_ = false;
  /// Whether a `;` ended the statement.
  bool ended_ = false;
};

}  // namespace

std::optional<std::string> format(std::shared_ptr<const SourceText> source,
                                  Diagnostics& diagnostics) {
  if (!check_syntax(source, diagnostics)) return std::nullopt;
  return Layout().run(source->text);
}

std::optional<std::string> format(std::string name, std::string text, Diagnostics& diagnostics) {
  return format(std::make_shared<const SourceText>(SourceText{std::move(name), std::move(text)}),
                diagnostics);
}

}  // namespace gyre::text
