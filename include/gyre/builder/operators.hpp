/// The operators of the language on values of a program being built.
///
/// They build an expression and compute nothing; at least one operand is a Value. A constant takes
/// the other operand's type. Leaves out what is written as a function (functions.hpp).
#pragma once

#include "gyre/builder/value.hpp"

#include <array>

namespace gyre::builder {
namespace detail {

template <class A, class B>
constexpr auto common_type() {
  if constexpr (Literal<A> && Literal<B>) {
    return;
  } else if constexpr (Literal<A>) {
    if constexpr (LiteralFor<A, TypeOf<B>>) return TypeOf<B>{};
  } else if constexpr (Literal<B>) {
    if constexpr (LiteralFor<B, TypeOf<A>>) return TypeOf<A>{};
  } else if constexpr (WidensTo<TypeOf<A>, TypeOf<B>>) {
    return TypeOf<B>{};
  } else if constexpr (WidensTo<TypeOf<B>, TypeOf<A>>) {
    return TypeOf<A>{};
  }
}

template <class A, class B, class C>
constexpr auto common_type() {
  // Literals follow: of the three, one that is none decides first.
  using Pair =
      std::conditional_t<Literal<A>, decltype(common_type<B, C>()), decltype(common_type<A, B>())>;
  if constexpr (ValueType<Pair>) {
    return common_type<Value<Pair>, std::conditional_t<Literal<A>, A, C>>();
  }
}

template <ValueType T, class... Operands>
Value<T> typed_apply(ir::Op op, const Operands&... operands) {
  return Value<T>(detail::apply(op, std::array{untyped(operands)...}));
}

}  // namespace detail

/// The type that two or three operands have together; void where they have none, or all are
/// literals.
template <Operand... A>
using CommonType = decltype(detail::common_type<A...>());

/// Whether a binary operator of this class takes the two.
template <class A, class B, ir::OperandClass operands>
concept Combines = Operand<A> && Operand<B> && admitted<operands, CommonType<A, B>>;

/// Whether an operator of three operands and this class takes them.
template <class A, class B, class C, ir::OperandClass operands>
concept CombinesThree =
    Operand<A> && Operand<B> && Operand<C> && admitted<operands, CommonType<A, B, C>>;

/// Whether a unary operator of this class takes `A`.
template <class A, ir::OperandClass operands>
concept Takes = Operand<A> && !Literal<A> && admitted<operands, TypeOf<A>>;

// C++ spells an operator in code, not in data: the infix and prefix rows of op.def once more.
#define GYRE_INFIX(token, id, operands, Result)           \
  template <class A, class B>                             \
  requires Combines<A, B, ir::OperandClass::operands>     \
  auto operator token(const A& a, const B& b) {           \
    using Same [[maybe_unused]] = CommonType<A, B>;       \
    return detail::typed_apply<Result>(ir::Op::id, a, b); \
  }

GYRE_INFIX(||, Or, Bool, bool)
GYRE_INFIX(&&, And, Bool, bool)
GYRE_INFIX(==, Eq, Any, bool)
GYRE_INFIX(!=, Ne, Any, bool)
GYRE_INFIX(<, Lt, Number, bool)
GYRE_INFIX(<=, Le, Number, bool)
GYRE_INFIX(>, Gt, Number, bool)
GYRE_INFIX(>=, Ge, Number, bool)
GYRE_INFIX(|, BitOr, Logic, Same)
GYRE_INFIX(^, BitXor, Logic, Same)
GYRE_INFIX(&, BitAnd, Logic, Same)
GYRE_INFIX(<<, Shl, Integer, Same)
GYRE_INFIX(>>, Shr, Integer, Same)
GYRE_INFIX(+, Add, Number, Same)
GYRE_INFIX(-, Sub, Number, Same)
GYRE_INFIX(*, Mul, Number, Same)
GYRE_INFIX(/, Div, Number, Same)
GYRE_INFIX(%, Rem, Integer, Same)
#undef GYRE_INFIX

#define GYRE_PREFIX(token, id, operands)                  \
  template <class A>                                      \
  requires Takes<A, ir::OperandClass::operands>           \
  auto operator token(const A& a) {                       \
    return detail::typed_apply<TypeOf<A>>(ir::Op::id, a); \
  }

GYRE_PREFIX(-, Neg, Number)
GYRE_PREFIX(!, Not, Bool)
GYRE_PREFIX(~, BitNot, Integer)
#undef GYRE_PREFIX

}  // namespace gyre::builder
