/// Folds of a program being built: `sum(0, n, [&](auto i) { return r[i] * r[i]; })`.
///
/// In a scalar expression a fold is device-wide; inside a foreach it is the index's own. The
/// operand is an expression: recording a statement in it is a UsageError.
#pragma once

#include "gyre/builder/range.hpp"

namespace gyre::builder {
namespace detail {

/// Builds a fold over `ranges`; `operand` gets the ranges with their indices. UsageError where
/// bounds of constants belong to no program.
AnyValue fold(ir::FoldOp op, const std::vector<OpenRange>& ranges,
              const std::function<AnyValue(const std::shared_ptr<Recorder>&,
                                           const std::vector<ir::Range>&)>& operand);

template <ir::FoldOp op, class Operand>
using FoldType = std::conditional_t<ir::folds_to_index(op) || op == ir::FoldOp::Count, std::int64_t,
                                    TypeOf<Operand>>;

}  // namespace detail

/// Whether `op` folds what `Body` gives over `Points`, some Ranges.
template <class Body, class Points, ir::FoldOp op>
concept FoldsOver = Operand<ResultOver<Body, Points>> &&
    (ir::folds_conditions(op) ? std::same_as<TypeOf<ResultOver<Body, Points>>, bool>
                              : NumberType<TypeOf<ResultOver<Body, Points>>>);

namespace detail {

template <ir::FoldOp op, class Body, IntegerType... T>
requires FoldsOver<Body, Ranges<T...>, op>
auto fold_over(const Ranges<T...>& ranges, Body& body) {
  using Result = FoldType<op, ResultOver<Body, Ranges<T...>>>;
  return Value<Result>(fold(op, ranges.all(), [&](const auto& recorder, const auto& bound) {
    return alone(call_with_indices(ranges, recorder, bound, body));
  }));
}

}  // namespace detail

#define GYRE_FOLD(name, id)                                            \
  template <IntegerType... T, class Body>                              \
  requires FoldsOver<Body, Ranges<T...>, ir::FoldOp::id>               \
  auto name(const Ranges<T...>& ranges, Body body) {                   \
    return detail::fold_over<ir::FoldOp::id>(ranges, body);            \
  }                                                                    \
  template <Operand A, Operand B, class Body>                          \
  requires FoldsOver<Body, Ranges<BoundType<A, B>>, ir::FoldOp::id>    \
  auto name(const A& begin, const B& end, Body body) {                 \
    return detail::fold_over<ir::FoldOp::id>(range(begin, end), body); \
  }

GYRE_FOLD(sum, Sum)
GYRE_FOLD(prod, Prod)
GYRE_FOLD(min, Min)
GYRE_FOLD(max, Max)
GYRE_FOLD(any, Any)
GYRE_FOLD(all, All)
GYRE_FOLD(count, Count)
GYRE_FOLD(argmin, Argmin)
GYRE_FOLD(argmax, Argmax)
#undef GYRE_FOLD

}  // namespace gyre::builder
