// The operands of expressions that are more than a name: literals, casts, functions and folds.
#include "expr_parser.hpp"

#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace gyre::text {
namespace {

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const ir::OpInfo& row : ir::all_ops()) {
    if (row.form == ir::OpForm::Call) names.emplace_back(row.spelling);
  }
  for (const ir::FoldOp op : ir::all_folds()) names.emplace_back(ir::name_of(op));
  for (const char* type : {"bool", "i32", "i64", "f32", "f64"}) names.emplace_back(type);
  return names;
}

std::optional<std::uint64_t> parse_digits(std::string_view digits) {
  std::uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc{}) return std::nullopt;
  return value;
}

std::string count_of(std::size_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::int64_t ExprParser::parse_integer(std::string_view what) {
  const SourceLoc start = cursor_.loc();
  const bool negative = cursor_.accept("-");
  if (!cursor_.at(TokenKind::Integer)) cursor_.fail_expected(what);
  const Token digits = cursor_.take();
  constexpr std::uint64_t limit = std::numeric_limits<std::int64_t>::max();
  const auto value = parse_digits(digits.text);
  if (!value || *value > limit + (negative ? 1 : 0)) {
    cursor_.report("literal-range", start,
                   (negative ? "'-" : "'") + printable(digits.text) + "' does not fit an i64");
    return 0;
  }
  return static_cast<std::int64_t>(negative ? std::uint64_t{0} - *value : *value);
}

ir::Expr ExprParser::parse_integer_literal(bool negative) {
  const Token digits = cursor_.take();
  const auto loc = cursor_.loc(digits);
  constexpr std::uint64_t limit = std::numeric_limits<std::int64_t>::max();
  const auto value = parse_digits(digits.text);
  if (!value || *value > limit + (negative ? 1 : 0)) {
    cursor_.report("literal-range", loc,
                   (negative ? "'-" : "'") + printable(digits.text) + "' does not fit an i64",
                   "a number with a point is a float");
    return poison(loc);
  }
  return ir::make_flexible(static_cast<std::int64_t>(negative ? std::uint64_t{0} - *value : *value),
                           loc);
}

ir::Expr ExprParser::parse_literal() {
  const Token& token = cursor_.peek();
  const auto loc = cursor_.loc(token);
  if (token.kind == TokenKind::Integer) return parse_integer_literal(false);
  if (token.kind == TokenKind::Number) {
    const std::string_view text = cursor_.take().text;
    double value = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec != std::errc{}) {
      cursor_.report("literal-range", loc, "'" + printable(text) + "' is out of the range of f64");
    }
    return ir::make_flexible(value, loc);
  }
  if (cursor_.accept("true")) return ir::make_literal(ir::Value(true), loc);
  if (cursor_.accept("false")) return ir::make_literal(ir::Value(false), loc);
  if (cursor_.accept("inf")) {
    return ir::make_flexible(std::numeric_limits<double>::infinity(), loc);
  }
  if (cursor_.accept("nan")) {
    return ir::make_flexible(std::numeric_limits<double>::quiet_NaN(), loc);
  }
  cursor_.fail_expected("an expression");
}

ir::ScalarType ExprParser::parse_type() {
  const Token& token = cursor_.peek();
  if (token.kind == TokenKind::Keyword) {
    if (const auto type = ir::parse_scalar_type(token.text)) {
      cursor_.take();
      return *type;
    }
  }
  if (token.kind == TokenKind::Name) {
    const auto near = nearest_name(token.text, {"bool", "i32", "i64", "f32", "f64", "f16", "bf16"});
    cursor_.report("unknown-type", cursor_.loc(token), "unknown type " + describe(token),
                   near.empty() ? "there are bool, i32, i64, f32, f64, and f16 and bf16 for buffers"
                                : "did you mean '" + std::string(near) + "'?");
    cursor_.take();
    return ir::ScalarType::Invalid;
  }
  cursor_.fail_expected("a type");
}

ir::Expr ExprParser::parse_cast() {
  const Token name = cursor_.peek();
  const auto loc = cursor_.loc(name);
  ir::ScalarType type = parse_type();
  cursor_.open("(", "after the type of a cast");
  ir::Expr operand = parse();
  cursor_.close(")", "after the operand of a cast");
  if (ir::is_storage_only(type)) {
    cursor_.report("storage-type", loc,
                   "no value has the type " + describe(name) + ", which only buffers have",
                   "cast to f32; a store to such a buffer rounds");
    return poison(loc);
  }
  return checked(ir::make_cast(type, std::move(operand), loc));
}

ir::Expr ExprParser::parse_function(const Token& name) {
  const auto op = ir::call_op(name.text);
  const auto fold = ir::parse_fold(name.text);
  const auto loc = cursor_.loc(name);
  cursor_.open("(", "");
  const bool ranged = cursor_.at(TokenKind::Name) && cursor_.peek(1).is("in");
  if (fold && (ranged || !op)) return parse_fold(*fold, name);
  std::vector<ir::Expr> operands;
  if (!cursor_.at(")")) operands = parse_list();
  cursor_.close(")", "after the operands");
  if (!op) {
    const auto near = nearest_name(name.text, function_names());
    cursor_.report("unknown-function", loc, "there is no function " + describe(name),
                   near.empty() ? std::string() : "did you mean '" + std::string(near) + "'?");
    return poison(loc);
  }
  const std::size_t arity = ir::info(*op).arity;
  if (operands.size() != arity) {
    cursor_.report("operand-count", loc,
                   describe(name) + " takes " + count_of(arity, "operand") + ", not " +
                       std::to_string(operands.size()));
    return poison(loc);
  }
  return checked(ir::make_apply(*op, std::move(operands), loc));
}

// The bracket of the ranges is open.
ir::Expr ExprParser::parse_fold(ir::FoldOp op, const Token& name) {
  if (!cursor_.at(TokenKind::Name) || !cursor_.peek(1).is("in")) {
    const std::string spelling(name.text);
    cursor_.fail_expected("a range",
                          "write '" + spelling + "(i in 0..n) …': a fold runs over a range");
  }
  const Names::Block block(names_);
  auto ranges = parse_ranges();
  cursor_.close(")", "after the ranges");
  ir::Expr operand;
  if (ir::folds_conditions(op)) {
    if (!cursor_.at("(")) {
      cursor_.fail_expected(
          "'('", "the condition of '" + std::string(name.text) + "' stands in parentheses");
    }
    operand = parse_parenthesised();
  } else {
    operand = parse_binary(ir::OpForm::Level9);
  }
  return checked(ir::make_fold(op, std::move(ranges), std::move(operand), cursor_.loc(name)));
}

}  // namespace gyre::text
