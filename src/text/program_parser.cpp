// The program, its blocks, and which statement comes next.
#include "statement_parser.hpp"

#include <string>
#include <utility>

namespace gyre::text {
namespace {

// Their names are free for other things: a bracket tells.
bool is_primitive(const Token& first, const Token& second) {
  return first.kind == TokenKind::Name && second.is("(");
}

}  // namespace

void StatementParser::parse_program() {
  const Token start = cursor_.peek();
  cursor_.expect("program", "at the start of the text");
  program_.loc = cursor_.loc(start);
  program_.name = std::string(cursor_.expect_name("the program's name").text);
  const Names::Block block(names_);
  parse_parameters();
  program_.body = parse_block("before the program's body");
  if (!cursor_.at(TokenKind::End)) cursor_.fail_expected("the end of the file after the program");
}

void StatementParser::parse_parameters() {
  cursor_.open("(", "after the program's name");
  if (!cursor_.at(")")) {
    do {
      parse_parameter();
    } while (cursor_.accept(","));
  }
  cursor_.close(")", "after the program's parameters");
}

void StatementParser::parse_parameter() {
  const Token name = cursor_.expect_name("the name of a size");
  cursor_.expect(":", "after the name of a size");
  if (!cursor_.accept("size")) {
    cursor_.fail_expected("'size'",
                          "a program's parameters are sizes; scalars and buffers are declared "
                          "with 'in', 'out' or 'inout' in its body");
  }
  ir::Symbol size;
  size.kind = ir::SymbolKind::Size;
  size.type = ir::ScalarType::I64;
  names_.declare(name, std::move(size));
}

ir::Region StatementParser::parse_block(std::string_view where) {
  const Token open = cursor_.peek();
  if (!open.is("{")) cursor_.expect("{", where);
  if (depth_ >= ir::max_region_depth) {
    cursor_.report("nesting", cursor_.loc(open),
                   "blocks are nested deeper than " + std::to_string(ir::max_region_depth));
    cursor_.skip_block();
    return ir::make_seq({}, cursor_.loc(open));
  }
  cursor_.take();
  const Names::Block block(names_);
  Items items;
  ++depth_;
  parse_items(open, items);
  --depth_;
  cursor_.take();
  return ir::make_seq(std::move(items), cursor_.loc(open));
}

void StatementParser::parse_items(const Token& open, Items& items) {
  while (!cursor_.at("}")) {
    if (cursor_.at(TokenKind::End)) {
      cursor_.report("unclosed-block", cursor_.loc(open), "this '{' is never closed");
      throw GiveUp{};
    }
    if (cursor_.accept(";")) continue;
    const auto depth = depth_;
    const Token start = cursor_.peek();
    try {
      parse_statement(items);
      end_statement();
    } catch (const Abandon&) {
      depth_ = depth;
      names_.set_open_ranges({});
      cursor_.skip_statement(start);
    }
  }
}

void StatementParser::end_statement() {
  if (cursor_.at("}") || cursor_.at(TokenKind::End) || cursor_.peek().newlines_before != 0) return;
  if (cursor_.accept(";")) return;
  cursor_.fail_expected("the end of the statement", "a new line or ';' ends a statement");
}

void StatementParser::parse_statement(Items& items) {
  const Parse parse = is_primitive(cursor_.peek(), cursor_.peek(1))
                          ? &StatementParser::parse_primitive
                          : statement_of(cursor_.peek());
  if (parse == nullptr) fail_statement();
  (this->*parse)(items);
}

void StatementParser::fail_statement() {
  const Token& token = cursor_.peek();
  if (token.kind == TokenKind::Symbol && ir::infix_op(token.text)) {
    cursor_.fail_expected("a statement", "a line goes on after an operator, not before one");
  }
  if (token.is("else")) {
    cursor_.fail_expected("a statement", "'else' follows the '}' of its 'if'");
  }
  if (token.is("and")) {
    cursor_.fail_expected("a statement", "'and' follows the '}' of an arm of its 'fork'");
  }
  if (token.kind == TokenKind::Keyword && token.text == "limit") {
    cursor_.fail_expected("a statement", "'limit' follows the condition of a loop");
  }
  cursor_.fail_expected("a statement");
}

StatementParser::Parse StatementParser::statement_of(const Token& token) {
  struct Row {
    std::string_view word;
    Parse parse;
  };
  using Self = StatementParser;
  static constexpr Row rows[] = {{"in", &Self::parse_declarations},
                                 {"out", &Self::parse_declarations},
                                 {"inout", &Self::parse_declarations},
                                 {"temp", &Self::parse_declarations},
                                 {"var", &Self::parse_declarations},
                                 {"let", &Self::parse_let},
                                 {"scatter", &Self::parse_scatter},
                                 {"call", &Self::parse_call},
                                 {"copy", &Self::parse_copy},
                                 {"fill", &Self::parse_fill},
                                 {"foreach", &Self::parse_foreach},
                                 {"if", &Self::parse_if},
                                 {"while", &Self::parse_while},
                                 {"do", &Self::parse_do},
                                 {"for", &Self::parse_for},
                                 {"switch", &Self::parse_switch},
                                 {"break", &Self::parse_break},
                                 {"continue", &Self::parse_continue},
                                 {"stop", &Self::parse_stop},
                                 {"fork", &Self::parse_fork}};
  if (token.kind == TokenKind::Name) return &Self::parse_assign;
  for (const Row& row : rows) {
    if (token.is(row.word)) return row.parse;
  }
  return nullptr;
}

}  // namespace gyre::text
