/// The functions of the language (`sqrt`, `min`, `select`, casts) on values of a program being
/// built, found by their arguments: `sqrt(rr)` needs no namespace.
///
/// They come from the rows of op.def, under the name of their meaning: `isnan` is `is_nan` here.
/// Leaves out folds (fold.hpp).
#pragma once

#include "gyre/builder/operators.hpp"

namespace gyre::builder {
namespace detail {

/// The C++ type of a result on operands of type `T`.
template <ir::ResultClass result, class T>
constexpr auto result_of() {
  if constexpr (result == ir::ResultClass::Bool) return bool{};
  if constexpr (result == ir::ResultClass::I64) return std::int64_t{};
  if constexpr (result == ir::ResultClass::F32) return float{};
  if constexpr (result == ir::ResultClass::F64) return double{};
  if constexpr (result == ir::ResultClass::Same) return T{};
}
template <ir::ResultClass result, class T>
using Result = decltype(result_of<result, T>());

}  // namespace detail

#define GYRE_FUNCTION_1(id, function, operands, result)                                            \
  template <class A>                                                                               \
  requires Takes<A, ir::OperandClass::operands>                                                    \
  auto function(const A& a) {                                                                      \
    return detail::typed_apply<detail::Result<ir::ResultClass::result, TypeOf<A>>>(ir::Op::id, a); \
  }
#define GYRE_FUNCTION_2(id, function, operands, result)                                    \
  template <class A, class B>                                                              \
  requires Combines<A, B, ir::OperandClass::operands>                                      \
  auto function(const A& a, const B& b) {                                                  \
    return detail::typed_apply<detail::Result<ir::ResultClass::result, CommonType<A, B>>>( \
        ir::Op::id, a, b);                                                                 \
  }
#define GYRE_FUNCTION_3(id, function, operands, result)                                       \
  template <class A, class B, class C>                                                        \
  requires CombinesThree<A, B, C, ir::OperandClass::operands>                                 \
  auto function(const A& a, const B& b, const C& c) {                                         \
    return detail::typed_apply<detail::Result<ir::ResultClass::result, CommonType<A, B, C>>>( \
        ir::Op::id, a, b, c);                                                                 \
  }
#define GYRE_ROW_Call(id, function, arity, operands, result) \
  GYRE_FUNCTION_##arity(id, function, operands, result)
// Infix and prefix operators are no functions.
#define GYRE_ROW_Prefix(...)
#define GYRE_ROW_Level1(...)
#define GYRE_ROW_Level2(...)
#define GYRE_ROW_Level3(...)
#define GYRE_ROW_Level4(...)
#define GYRE_ROW_Level5(...)
#define GYRE_ROW_Level6(...)
#define GYRE_ROW_Level7(...)
#define GYRE_ROW_Level8(...)
#define GYRE_ROW_Level9(...)
#define GYRE_OP(id, function, spelling, form, arity, operands, result, bits) \
  GYRE_ROW_##form(id, function, arity, operands, result)
#include "gyre/ir/op.def"
#undef GYRE_ROW_Call
#undef GYRE_ROW_Prefix
#undef GYRE_ROW_Level1
#undef GYRE_ROW_Level2
#undef GYRE_ROW_Level3
#undef GYRE_ROW_Level4
#undef GYRE_ROW_Level5
#undef GYRE_ROW_Level6
#undef GYRE_ROW_Level7
#undef GYRE_ROW_Level8
#undef GYRE_ROW_Level9
#undef GYRE_FUNCTION_1
#undef GYRE_FUNCTION_2
#undef GYRE_FUNCTION_3

/// `a` where `condition` holds, else `b`; only the chosen one is evaluated. Written out, since its
/// operands are of two types.
template <class A, class B>
requires Combines<A, B, ir::OperandClass::Any>
auto select(const Value<bool>& condition, const A& a, const B& b) {
  return detail::typed_apply<CommonType<A, B>>(ir::Op::Select, condition, a, b);
}
/// Of two constants, whose type is C++'s: `select(done, 1, 0)` is an i32.
template <Literal L>
Value<AloneType<L>> select(const Value<bool>& condition, L a, L b) {
  return Value<AloneType<L>>(detail::apply(
      ir::Op::Select, std::array{condition.any(), detail::alone(a), detail::alone(b)}));
}

/// `value` converted to `T`: `cast<double>(i)`. From a float to an integer it saturates.
template <ValueType T, ValueType U>
Value<T> cast(const Value<U>& value) {
  return Value<T>(detail::cast(ir::type_of<T>, value.any()));
}

/// A constant of type `T`, where a literal would take another: `constant<float>(1)`.
template <ValueType T, Literal L>
requires LiteralFor<L, T> Value<T> constant(L literal) {
  return Value<T>(detail::cast(ir::type_of<T>, detail::untyped(literal)));
}

}  // namespace gyre::builder
