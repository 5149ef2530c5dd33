#include "expr_parser.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace gyre::text {

/// Counts how deep the parser's own recursion is. A tree of the greatest height, printed with all
/// its brackets, takes up to three steps a level.
class ExprParser::Nesting {
 public:
  explicit Nesting(ExprParser& parser) : parser_(parser) {
    constexpr std::uint32_t limit = 3 * ir::max_expr_depth;
    if (++parser_.nesting_ <= limit) return;
    --parser_.nesting_;
    parser_.cursor_.fail("nesting", parser_.cursor_.loc(), "the expression is nested too deep",
                         "compute a part of it with 'let'");
  }
  ~Nesting() { --parser_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  ExprParser& parser_;
};

ir::Expr ExprParser::parse() {
  return parse_binary(ir::OpForm::Level1);
}

ir::Expr ExprParser::checked(ir::Expr expr) {
  if (expr->depth > ir::max_expr_depth) {
    cursor_.fail("nesting", expr->loc,
                 "the expression is nested deeper than " + std::to_string(ir::max_expr_depth),
                 "compute a part of it with 'let'");
  }
  return expr;
}

ir::Expr ExprParser::poison(const SourceLoc& loc) const {
  return ir::make_literal(ir::Value{}, loc);
}

std::vector<ir::Expr> ExprParser::parse_list() {
  std::vector<ir::Expr> list = {parse()};
  while (cursor_.accept(",")) list.push_back(parse());
  return list;
}

ir::Expr ExprParser::parse_binary(ir::OpForm loosest) {
  const Nesting nesting(*this);
  ir::Expr left = parse_unary();
  bool compared = false;
  while (cursor_.at(TokenKind::Symbol) && !cursor_.at_line_start()) {
    const std::optional<ir::Op> op = ir::infix_op(cursor_.peek().text);
    if (!op || ir::info(*op).form < loosest) break;
    const ir::OpForm form = ir::info(*op).form;
    const Token spelled = cursor_.take();
    if (form == ir::OpForm::Level3 && std::exchange(compared, true)) {
      cursor_.report("chained-comparison", cursor_.loc(spelled), "comparisons do not chain",
                     "write 'a < b && b < c', or put one of them in parentheses");
    }
    if (form < ir::OpForm::Level3) compared = false;
    ir::Expr right = parse_binary(static_cast<ir::OpForm>(static_cast<int>(form) + 1));
    left = checked(ir::make_apply(*op, {std::move(left), std::move(right)}, cursor_.loc(spelled)));
  }
  return left;
}

ir::Expr ExprParser::parse_unary() {
  if (!cursor_.at(TokenKind::Symbol)) return parse_primary();
  const std::optional<ir::Op> op = ir::prefix_op(cursor_.peek().text);
  if (!op) return parse_primary();
  if (*op == ir::Op::Neg && cursor_.peek(1).kind == TokenKind::Integer) return parse_negative();
  const Nesting nesting(*this);
  const Token spelled = cursor_.take();
  ir::Expr operand = parse_unary();
  return checked(ir::make_apply(*op, {std::move(operand)}, cursor_.loc(spelled)));
}

// The least integer has no positive counterpart, so the minus is read with the digits.
ir::Expr ExprParser::parse_negative() {
  cursor_.take();
  return parse_integer_literal(true);
}

ir::Expr ExprParser::parse_primary() {
  const Token& token = cursor_.peek();
  const Token& before = cursor_.last();
  const bool goes_on =
      before.is(",") || (before.kind == TokenKind::Symbol && ir::infix_op(before.text));
  if (cursor_.at_line_start() && !goes_on) {
    cursor_.fail("syntax", cursor_.loc(before),
                 "expected an expression on the line of " + describe(before));
  }
  switch (token.kind) {
    case TokenKind::Integer:
    case TokenKind::Number: return parse_literal();
    case TokenKind::Name: return parse_named();
    case TokenKind::Keyword:
      if (ir::parse_scalar_type(token.text)) return parse_cast();
      return parse_literal();
    default: break;
  }
  if (token.is("(")) return parse_parenthesised();
  cursor_.fail_expected("an expression");
}

ir::Expr ExprParser::parse_parenthesised() {
  cursor_.open("(", "");
  ir::Expr inner = parse();
  cursor_.close(")", "after the expression");
  return inner;
}

ir::Expr ExprParser::parse_named() {
  const Token name = cursor_.take();
  if (cursor_.at("(")) return parse_function(name);
  if (cursor_.at("[") && !cursor_.at_line_start()) return parse_load(name);
  return parse_read(name);
}

ir::Expr ExprParser::parse_read(const Token& name) {
  const auto loc = cursor_.loc(name);
  const auto id = names_.resolve(name);
  if (names_.is_poisoned(id)) return poison(loc);
  const ir::Symbol& symbol = names_[id];
  if (symbol.kind == ir::SymbolKind::Buffer) {
    cursor_.report("buffer-without-index", loc,
                   "'" + symbol.name + "' is a buffer: an expression reads one element of it",
                   "write '" + symbol.name + "[…]'");
    return poison(loc);
  }
  return ir::make_read(id, symbol.type, loc);
}

std::vector<ir::Expr> ExprParser::parse_index() {
  cursor_.open("[", "");
  auto index = parse_list();
  cursor_.close("]", "after the index");
  return index;
}

ir::Expr ExprParser::parse_load(const Token& name) {
  const auto loc = cursor_.loc(name);
  const auto id = names_.resolve(name);
  auto index = parse_index();
  if (names_.is_poisoned(id)) return poison(loc);
  const ir::Symbol& symbol = names_[id];
  if (symbol.kind != ir::SymbolKind::Buffer) {
    cursor_.report("not-a-buffer", loc, "'" + symbol.name + "' is no buffer and has no elements");
    return poison(loc);
  }
  return checked(ir::make_load(id, symbol.type, std::move(index), loc));
}

ir::Place ExprParser::parse_place() {
  const Token name = cursor_.expect_name("a place to store to");
  ir::Place place{.symbol = names_.resolve(name), .index = {}, .loc = cursor_.loc(name)};
  const bool indexed = cursor_.at("[") && !cursor_.at_line_start();
  if (indexed) place.index = parse_index();
  if (names_.is_poisoned(place.symbol)) return place;
  const ir::Symbol& symbol = names_[place.symbol];
  const std::string quoted = "'" + symbol.name + "'";
  switch (symbol.kind) {
    case ir::SymbolKind::Buffer:
      if (indexed) return place;
      cursor_.report("buffer-without-index", place.loc,
                     quoted + " is a buffer: an assignment stores to one element of it",
                     "write '" + symbol.name + "[…]', or use 'fill' or 'copy'");
      return place;
    case ir::SymbolKind::Scalar:
      if (!indexed) return place;
      cursor_.report("not-a-buffer", place.loc, quoted + " is no buffer and has no elements");
      return place;
    case ir::SymbolKind::Size:
      cursor_.report("not-a-place", place.loc, quoted + " is a size and never changes");
      return place;
    case ir::SymbolKind::Let:
      cursor_.report("not-a-place", place.loc, quoted + " is a 'let', a value computed once",
                     "declare it with 'var' to assign it");
      return place;
    case ir::SymbolKind::Index:
      cursor_.report("not-a-place", place.loc, quoted + " is a loop's index; the loop moves it");
      return place;
  }
  return place;
}

ir::ScalarType ExprParser::place_type(const ir::Place& place) const {
  return ir::loaded_type(names_[place.symbol].type);
}

ExprParser::UnboundRange ExprParser::parse_unbound_range() {
  UnboundRange unbound{.name = cursor_.expect_name("the name of an index"), .range = {}};
  cursor_.expect("in", "after the index");
  unbound.range.begin = parse();
  cursor_.expect("..", "between the bounds of the range");
  unbound.range.end = parse();
  if (cursor_.accept("step")) unbound.range.step = parse();
  return unbound;
}

ir::Range ExprParser::bind(UnboundRange unbound) {
  ir::Symbol index;
  index.kind = ir::SymbolKind::Index;
  index.type = ir::unify_range(unbound.range);
  unbound.range.index = names_.declare(unbound.name, std::move(index));
  return unbound.range;
}

ir::Range ExprParser::parse_range() {
  return bind(parse_unbound_range());
}

std::vector<ir::Range> ExprParser::parse_ranges() {
  std::vector<UnboundRange> unbound;
  std::vector<std::string> indices;
  do {
    unbound.push_back(parse_unbound_range());
    indices.emplace_back(unbound.back().name.text);
    names_.set_open_ranges(indices);
  } while (cursor_.accept(","));
  names_.set_open_ranges({});
  std::vector<ir::Range> ranges;
  for (UnboundRange& range : unbound) ranges.push_back(bind(std::move(range)));
  return ranges;
}

}  // namespace gyre::text
