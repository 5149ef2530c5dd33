// The statements that compute or move values.
#include "statement_parser.hpp"

#include <optional>
#include <utility>

namespace gyre::text {
namespace {

/// `+` of `+=`; nothing for what is no compound assignment.
std::optional<ir::Op> compound_op(const Token& token) {
  if (token.kind != TokenKind::Symbol || token.text.size() != 2 || token.text[1] != '=') {
    return std::nullopt;
  }
  // `<=` and its like are comparisons.
  const auto op = ir::infix_op(token.text.substr(0, 1));
  if (!op || ir::info(*op).result != ir::ResultClass::Same) return std::nullopt;
  return op;
}

}  // namespace

// Two words and an expression: what passes make, so that what they printed can be read.
template <class Kind>
void StatementParser::parse_of_pass(Items& items) {
  const Token start = cursor_.take();
  cursor_.take();
  items.push_back(ir::make_region(Kind{exprs_.parse()}, cursor_.loc(start)));
}

void StatementParser::parse_assign(Items& items) {
  const Token name = cursor_.peek();
  const Token& second = cursor_.peek(1);
  if (name.text == "check" && second.is("step")) return parse_of_pass<ir::CheckStep>(items);
  if (name.text == "add" && second.text == "trips") return parse_of_pass<ir::CountTrips>(items);
  // Two names in a row are a misspelt statement rather than an assignment to the first.
  if (second.kind == TokenKind::Name && second.newlines_before == 0) {
    static const std::vector<std::string> words = {"let",  "var",  "temp", "foreach", "scatter",
                                                   "call", "copy", "fill", "while",   "for",
                                                   "if",   "in",   "out",  "inout",   "switch"};
    const auto near = nearest_name(name.text, words);
    cursor_.fail_expected(
        "a statement", near.empty() ? std::string() : "did you mean '" + std::string(near) + "'?");
  }
  if (!second.is("[") && !second.is("=") && !compound_op(second)) {
    cursor_.take();
    cursor_.fail_expected("'=' or a compound assignment like '+='");
  }
  ir::Place place = exprs_.parse_place();
  const auto op = compound_op(cursor_.peek());
  if (!op && !cursor_.at("=")) cursor_.fail_expected("'=' or a compound assignment like '+='");
  cursor_.take();
  ir::Expr value = ir::coerce(exprs_.parse(), exprs_.place_type(place));
  items.push_back(
      ir::make_region(ir::Assign{std::move(place), op, std::move(value)}, cursor_.loc(name)));
}

void StatementParser::parse_scatter(Items& items) {
  const Token start = cursor_.take();
  ir::Place place = exprs_.parse_place();
  const bool accumulate = cursor_.accept("+=");
  if (!accumulate && !cursor_.accept("=")) {
    cursor_.fail_expected("'=' or '+='", "a scatter stores, or adds");
  }
  ir::Expr value = ir::coerce(exprs_.parse(), exprs_.place_type(place));
  items.push_back(ir::make_region(ir::Scatter{std::move(place), accumulate, std::move(value)},
                                  cursor_.loc(start)));
}

void StatementParser::parse_call(Items& items) {
  cursor_.take();
  const Token name = cursor_.peek();
  if (name.kind != TokenKind::Name) cursor_.fail_expected("the name of a call");
  cursor_.take();
  ir::Call call;
  cursor_.open("(", "after the name of a call");
  if (!cursor_.at(")")) {
    do {
      call.arguments.push_back(names_.resolve(cursor_.expect_name("an argument's name")));
    } while (cursor_.accept(","));
  }
  cursor_.close(")", "after the arguments");
  const auto found = calls_.find(name.text);
  if (found != calls_.end()) {
    call.callee = found->second;
  } else if (names_.lookup() == Lookup::On) {
    std::vector<std::string> known;
    for (const auto& [key, callee] : calls_) known.push_back(key);
    const auto near = nearest_name(name.text, known);
    cursor_.report("unknown-call", cursor_.loc(name), "there is no call " + describe(name),
                   near.empty() ? "calls come from the registry handed to the parser"
                                : "did you mean '" + std::string(near) + "'?");
  }
  items.push_back(ir::make_region(std::move(call), cursor_.loc(name)));
}

ir::SymbolId StatementParser::parse_buffer(std::string_view what) {
  const Token name = cursor_.expect_name(what);
  const auto id = names_.resolve(name);
  if (!names_.is_poisoned(id) && names_[id].kind != ir::SymbolKind::Buffer) {
    cursor_.report("not-a-buffer", cursor_.loc(name),
                   describe(name) + " is no buffer: 'copy' and 'fill' take whole buffers");
  }
  return id;
}

void StatementParser::parse_copy(Items& items) {
  const Token start = cursor_.take();
  const auto to = parse_buffer("the buffer to copy to");
  cursor_.expect("=", "after the buffer to copy to");
  const auto from = parse_buffer("the buffer to copy from");
  items.push_back(ir::make_region(ir::Copy{to, from}, cursor_.loc(start)));
}

void StatementParser::parse_fill(Items& items) {
  const Token start = cursor_.take();
  const auto buffer = parse_buffer("the buffer to fill");
  cursor_.expect("=", "after the buffer to fill");
  ir::Expr value = ir::coerce(exprs_.parse(), ir::loaded_type(names_[buffer].type));
  items.push_back(ir::make_region(ir::Fill{buffer, std::move(value)}, cursor_.loc(start)));
}

}  // namespace gyre::text
