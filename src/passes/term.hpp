/// Expressions as passes write them: operators instead of calls.
#pragma once

#include "gyre/ir/expr.hpp"

#include <cstdint>
#include <utility>

namespace gyre::passes {

/// An expression; a number is an i64.
struct Term {
  Term(ir::Expr of) : expr(std::move(of)) {}
  Term(std::int64_t number) : expr(ir::make_literal(ir::Value(number))) {}
  Term(int number) : Term(std::int64_t{number}) {}

  ir::Expr expr;

  // Found by a Term alone: a plain expression is a pointer, and may be asked whether it is one.
  friend Term operator+(const Term& a, const Term& b) { return of(ir::Op::Add, a, b); }
  friend Term operator-(const Term& a, const Term& b) { return of(ir::Op::Sub, a, b); }
  friend Term operator*(const Term& a, const Term& b) { return of(ir::Op::Mul, a, b); }
  friend Term operator/(const Term& a, const Term& b) { return of(ir::Op::Div, a, b); }
  friend Term operator%(const Term& a, const Term& b) { return of(ir::Op::Rem, a, b); }
  friend Term operator<(const Term& a, const Term& b) { return of(ir::Op::Lt, a, b); }
  friend Term operator!=(const Term& a, const Term& b) { return of(ir::Op::Ne, a, b); }
  friend Term operator&&(const Term& a, const Term& b) { return of(ir::Op::And, a, b); }
  friend Term operator||(const Term& a, const Term& b) { return of(ir::Op::Or, a, b); }
  friend Term operator!(const Term& a) { return ir::make_apply(ir::Op::Not, {a.expr}); }

 private:
  static Term of(ir::Op op, const Term& a, const Term& b) {
    return ir::make_apply(op, {a.expr, b.expr});
  }
};

inline Term apply(ir::Op op, const Term& a) {
  return ir::make_apply(op, {a.expr});
}
inline Term apply(ir::Op op, const Term& a, const Term& b) {
  return ir::make_apply(op, {a.expr, b.expr});
}
inline Term apply(ir::Op op, const Term& a, const Term& b, const Term& c) {
  return ir::make_apply(op, {a.expr, b.expr, c.expr});
}

inline Term min(const Term& a, const Term& b) {
  return apply(ir::Op::Min, a, b);
}
inline Term max(const Term& a, const Term& b) {
  return apply(ir::Op::Max, a, b);
}
inline Term select(const Term& condition, const Term& a, const Term& b) {
  return apply(ir::Op::Select, condition, a, b);
}
/// How many times `width` goes into `count`, the last time in part.
inline Term parts(const Term& count, const Term& width) {
  return (count + width - 1) / width;
}
/// A whole number written as another integer stays one.
inline Term cast(ir::ScalarType type, const Term& a) {
  if (a.expr->type == type) return a;
  const auto* literal = ir::as<ir::Literal>(a.expr);
  if (literal != nullptr && type == ir::ScalarType::I64 && ir::is_integer(a.expr->type)) {
    return literal->value.as_integer();
  }
  return ir::make_cast(type, a.expr);
}

}  // namespace gyre::passes
