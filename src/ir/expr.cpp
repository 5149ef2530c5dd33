#include "gyre/ir/expr.hpp"

#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/visitor.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gyre::ir {
namespace {

Expr make_node(ExprKind kind, ScalarType type, const SourceLoc& loc, std::uint32_t depth) {
  return std::make_shared<const ExprNode>(ExprNode{std::move(kind), type, loc, depth});
}

std::uint32_t height_above(const std::vector<Expr>& children) {
  std::uint32_t height = 0;
  for (const Expr& child : children) height = std::max(height, child->depth);
  return height + 1;
}

// An expression made of flexible literals alone takes a type as they do.
bool is_flexible(const Expr& expr) {
  if (const auto* literal = as<Literal>(expr)) return literal->flexible;
  const auto* apply = as<Apply>(expr);
  if (apply == nullptr || info(apply->op).result != ResultClass::Same) return false;
  const auto first = apply->op == Op::Select ? 1 : 0;
  return std::all_of(apply->operands.begin() + first, apply->operands.end(), is_flexible);
}

// A whole number may become any number; a fraction only a float. Null where it does not fit.
Expr adopt_literal(const Expr& expr, const Literal& literal, ScalarType type) {
  const auto remade = [&](auto value) {
    return make_node(Literal{Value(value), true}, type, expr->loc, 1);
  };
  if (is_integer(literal.value.type())) {
    const std::int64_t whole = literal.value.as_integer();
    switch (type) {
      case ScalarType::I32:
        return std::in_range<std::int32_t>(whole) ? remade(static_cast<std::int32_t>(whole))
                                                  : nullptr;
      case ScalarType::I64: return remade(whole);
      case ScalarType::F32: return remade(static_cast<float>(whole));
      case ScalarType::F64: return remade(static_cast<double>(whole));
      default: return nullptr;
    }
  }
  if (!is_float(type) || !is_float(literal.value.type())) return nullptr;
  const double number = literal.value.type() == ScalarType::F32
                            ? static_cast<double>(literal.value.as<float>())
                            : literal.value.as<double>();
  if (type == ScalarType::F64) return remade(number);
  const auto narrow = static_cast<float>(number);
  return std::isfinite(number) && std::isinf(narrow) ? nullptr : remade(narrow);
}

Expr adopt(const Expr& expr, ScalarType type) {
  if (expr->type == type) return expr;
  if (const auto* literal = as<Literal>(expr)) return adopt_literal(expr, *literal, type);
  const auto& apply = std::get<Apply>(expr->kind);
  std::vector<Expr> operands = apply.operands;
  for (std::size_t i = apply.op == Op::Select ? 1 : 0; i < operands.size(); ++i) {
    operands[i] = adopt(operands[i], type);
    if (!operands[i]) return nullptr;
  }
  auto remade = make_apply(apply.op, std::move(operands), expr->loc);
  return remade->type == type ? remade : nullptr;
}

ScalarType result_type(const OpInfo& row, std::vector<Expr>& operands) {
  if (operands.size() != row.arity) return ScalarType::Invalid;
  if (row.operands == OperandClass::Chosen) {
    std::vector<Expr> arms(operands.begin() + 1, operands.end());
    if (operands[0]->type != ScalarType::Bool || !unify(arms)) return ScalarType::Invalid;
    std::copy(arms.begin(), arms.end(), operands.begin() + 1);
    return admits(row.operands, arms[0]->type) ? arms[0]->type : ScalarType::Invalid;
  }
  if (row.operands != OperandClass::Long && !unify(operands)) return ScalarType::Invalid;
  // A whole literal stands for a float where only floats will do: sqrt(2).
  for (Expr& operand : operands) {
    if (row.operands == OperandClass::Float && !is_float(operand->type)) {
      operand = coerce(operand, ScalarType::F64);
    }
    if (row.operands == OperandClass::Long) operand = coerce(operand, ScalarType::I64);
    if (operand->type == ScalarType::Invalid || !admits(row.operands, operand->type)) {
      return ScalarType::Invalid;
    }
  }
  return type_of_result(row.result, operands[0]->type);
}

}  // namespace

Expr make_literal(Value value, const SourceLoc& loc) {
  return make_node(Literal{value, false}, value.type(), loc, 1);
}

Expr make_flexible(std::int64_t value, const SourceLoc& loc) {
  if (std::in_range<std::int32_t>(value)) {
    return make_node(Literal{Value(static_cast<std::int32_t>(value)), true}, ScalarType::I32, loc,
                     1);
  }
  return make_node(Literal{Value(value), true}, ScalarType::I64, loc, 1);
}

Expr make_flexible(double value, const SourceLoc& loc) {
  return make_node(Literal{Value(value), true}, ScalarType::F64, loc, 1);
}

Expr make_read(SymbolId symbol, ScalarType type, const SourceLoc& loc) {
  return make_node(Read{symbol}, type, loc, 1);
}

Expr make_load(SymbolId buffer, ScalarType element, std::vector<Expr> index, const SourceLoc& loc) {
  const auto depth = height_above(index);
  return make_node(Load{buffer, std::move(index)}, loaded_type(element), loc, depth);
}

Expr make_apply(Op op, std::vector<Expr> operands, const SourceLoc& loc) {
  // A minus before a literal belongs to the literal, so that the least integer can be written.
  if (op == Op::Neg && operands.size() == 1) {
    if (const auto* literal = as<Literal>(operands[0]); literal != nullptr && literal->flexible) {
      const Value value = literal->value;
      return dispatch(value.type(), [&](auto zero) -> Expr {
        using T = decltype(zero);
        if constexpr (std::is_same_v<T, bool>) {
          return make_node(Apply{op, operands}, ScalarType::Invalid, loc, 2);
        } else {
          return make_node(Literal{Value(ops::neg(value.as<T>())), true}, value.type(), loc, 1);
        }
      });
    }
  }
  const ScalarType type = result_type(info(op), operands);
  const auto depth = height_above(operands);
  return make_node(Apply{op, std::move(operands)}, type, loc, depth);
}

Expr make_cast(ScalarType type, Expr operand, const SourceLoc& loc) {
  if (const auto* literal = as<Literal>(operand); literal != nullptr && literal->flexible) {
    if (auto adopted = adopt_literal(operand, *literal, type)) {
      return make_literal(std::get<Literal>(adopted->kind).value, loc);
    }
  }
  const bool fits = operand->type != ScalarType::Invalid && !is_storage_only(type);
  const auto depth = operand->depth + 1;
  return make_node(Cast{std::move(operand), false}, fits ? type : ScalarType::Invalid, loc, depth);
}

Expr make_fold(FoldOp op, std::vector<Range> ranges, Expr operand, const SourceLoc& loc) {
  const auto type =
      folds_to_index(op) && ranges.size() != 1 ? ScalarType::Invalid : fold_type(op, operand->type);
  std::uint32_t depth = operand->depth;
  for (const Range& range : ranges) {
    depth =
        std::max({depth, range.begin->depth, range.end->depth, range.step ? range.step->depth : 0});
  }
  return make_node(Fold{op, std::move(ranges), std::move(operand)}, type, loc, depth + 1);
}

ScalarType unify_range(Range& range) {
  std::vector<Expr> bounds = {range.begin, range.end};
  if (range.step) bounds.push_back(range.step);
  if (!unify(bounds) || !is_integer(bounds[0]->type)) return ScalarType::Invalid;
  range.begin = bounds[0];
  range.end = bounds[1];
  if (range.step) range.step = bounds[2];
  return bounds[0]->type;
}

Expr coerce(Expr expr, ScalarType type) {
  if (expr->type == type || expr->type == ScalarType::Invalid) return expr;
  if (is_flexible(expr)) {
    auto adopted = adopt(expr, type);
    return adopted ? adopted : expr;
  }
  if (!widens(expr->type, type)) return expr;
  const auto loc = expr->loc;
  const auto depth = expr->depth + 1;
  return make_node(Cast{std::move(expr), true}, type, loc, depth);
}

bool unify(std::vector<Expr>& exprs) {
  // The widest type among those that were written decides; literals follow. Without any, a
  // fraction among the literals makes all of them floats.
  ScalarType target = ScalarType::Invalid;
  for (const bool flexible : {false, true}) {
    if (target != ScalarType::Invalid) break;
    for (const Expr& expr : exprs) {
      if (is_flexible(expr) != flexible) continue;
      if (expr->type == ScalarType::Invalid) return false;
      if (target == ScalarType::Invalid || widens(target, expr->type)) target = expr->type;
      if (flexible && is_integer(target) && is_float(expr->type)) target = expr->type;
    }
  }
  std::vector<Expr> unified;
  for (const Expr& expr : exprs) {
    unified.push_back(coerce(expr, target));
    if (unified.back()->type != target) return false;
  }
  exprs = std::move(unified);
  return true;
}

bool step_may_be_zero(const Range& range) {
  const auto* literal = as<Literal>(range.step);
  return range.step != nullptr && (literal == nullptr || literal->value.as_integer() == 0);
}

bool contains_fold(const Expr& expr) {
  bool found = false;
  for_each_expr(expr, [&](const Expr& node) { found = found || as<Fold>(node) != nullptr; });
  return found;
}

bool contains_load(const Expr& expr) {
  bool found = false;
  for_each_expr(expr, [&](const Expr& node) { found = found || as<Load>(node) != nullptr; });
  return found;
}

namespace {

bool same_all(const std::vector<Expr>& a, const std::vector<Expr>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), same_expr);
}

bool same_range(const Range& a, const Range& b) {
  return a.index == b.index && same_expr(a.begin, b.begin) && same_expr(a.end, b.end) &&
         same_expr(a.step, b.step);
}

bool same_kind(const Literal& a, const Literal& b) {
  return a.value.type() == b.value.type() && a.value.bits() == b.value.bits();
}
bool same_kind(const Read& a, const Read& b) {
  return a.symbol == b.symbol;
}
bool same_kind(const Load& a, const Load& b) {
  return a.buffer == b.buffer && same_all(a.index, b.index);
}
bool same_kind(const Apply& a, const Apply& b) {
  return a.op == b.op && same_all(a.operands, b.operands);
}
bool same_kind(const Cast& a, const Cast& b) {
  return same_expr(a.operand, b.operand);
}
bool same_kind(const Fold& a, const Fold& b) {
  return a.op == b.op &&
         std::equal(a.ranges.begin(), a.ranges.end(), b.ranges.begin(), b.ranges.end(),
                    same_range) &&
         same_expr(a.operand, b.operand);
}

}  // namespace

bool same_expr(const Expr& a, const Expr& b) {
  if (a == b) return true;
  if (!a || !b || a->type != b->type || a->kind.index() != b->kind.index()) return false;
  return std::visit(
      [&](const auto& left) {
        return same_kind(left, std::get<std::decay_t<decltype(left)>>(b->kind));
      },
      a->kind);
}

}  // namespace gyre::ir
