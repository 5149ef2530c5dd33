#include "gyre/ir/eval.hpp"

#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/strands.hpp"

#include <limits>
#include <type_traits>
#include <utility>

namespace gyre::ir {
namespace {

template <OperandClass Operands, std::size_t Arity, class Function>
Value apply(std::span<const Value> values, Function function) {
  constexpr bool chosen = Operands == OperandClass::Chosen;
  GYRE_CHECK(values.size() == Arity, "an operator got too few or too many operands");
  return dispatch(values[chosen ? 1 : 0].type(), [&](auto zero) -> Value {
    using T = decltype(zero);
    if constexpr (!admits(Operands, type_of<T>)) {
      GYRE_CHECK(false, "an operator got operands of a type that it does not take");
      return {};
    } else if constexpr (chosen) {
      return Value(function(values[0].as<bool>(), values[1].as<T>(), values[2].as<T>()));
    } else {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return Value(function(values[I].template as<T>()...));
      }
      (std::make_index_sequence<Arity>{});
    }
  });
}

}  // namespace

Value eval(Op op, std::span<const Value> operands) {
  switch (op) {
#define GYRE_OP(id, function, spelling, form, arity, operand_class, result, bits) \
  case Op::id:                                                                    \
    return apply<OperandClass::operand_class, arity>(                             \
        operands, [](auto... values) { return ops::function(values...); });
#include "gyre/ir/op.def"
  }
  GYRE_CHECK(false, "an operator that op.def does not list");
  return {};
}

Value convert(const Value& value, ScalarType type) {
  return dispatch(type, [&](auto to) {
    return dispatch(value.type(), [&](auto from) {
      return Value(ops::convert<decltype(to)>(value.as<decltype(from)>()));
    });
  });
}

namespace {

template <class Choose>
Partial choose(const Partial& left, const Partial& right, Choose choose_one) {
  return dispatch(left.value.type(), [&](auto zero) {
    using T = decltype(zero);
    const auto chosen = choose_one(ops::Located<T>{left.value.as<T>(), left.index},
                                   ops::Located<T>{right.value.as<T>(), right.index});
    return Partial{Value(chosen.value), chosen.index};
  });
}

Partial combine_values(Op op, const Partial& left, const Partial& right) {
  const Value operands[] = {left.value, right.value};
  return {eval(op, operands), 0};
}

}  // namespace

Partial fold_first(FoldOp op, const Value& term, std::int64_t index) {
  if (op == FoldOp::Count) return {convert(term, ScalarType::I64), 0};
  return {term, index};
}

Partial fold_combine(FoldOp op, const Partial& left, const Partial& right) {
  switch (op) {
    case FoldOp::Sum:
    case FoldOp::Count: return combine_values(Op::Add, left, right);
    case FoldOp::Prod: return combine_values(Op::Mul, left, right);
    case FoldOp::Min: return combine_values(Op::Min, left, right);
    case FoldOp::Max: return combine_values(Op::Max, left, right);
    case FoldOp::Any: return combine_values(Op::Or, left, right);
    case FoldOp::All: return combine_values(Op::And, left, right);
    case FoldOp::Argmin: return choose(left, right, [](auto a, auto b) { return argmin(a, b); });
    case FoldOp::Argmax: return choose(left, right, [](auto a, auto b) { return argmax(a, b); });
  }
  return left;
}

Value fold_result(FoldOp op, const Partial& partial) {
  return folds_to_index(op) ? Value(partial.index) : partial.value;
}

Value fold_empty(FoldOp op, ScalarType operand) {
  return dispatch(operand, [&](auto zero) {
    using T = decltype(zero);
    using Limits = std::numeric_limits<T>;
    switch (op) {
      case FoldOp::Sum: return Value(T{0});
      case FoldOp::Prod: return Value(T{1});
      case FoldOp::Min: return Value(Limits::has_infinity ? Limits::infinity() : Limits::max());
      case FoldOp::Max: return Value(Limits::has_infinity ? -Limits::infinity() : Limits::min());
      case FoldOp::Any: return Value(false);
      case FoldOp::All: return Value(true);
      case FoldOp::Count: return Value(std::int64_t{0});
      case FoldOp::Argmin:
      case FoldOp::Argmax: return Value(std::int64_t{-1});
    }
    return Value(zero);
  });
}

StrandFold::StrandFold(FoldOp op, ScalarType operand, std::int64_t strands)
    : op_(op), operand_(operand), strands_(static_cast<std::size_t>(strands)) {}

void StrandFold::add(const Value& term, std::int64_t index) {
  const Partial one = fold_first(op_, term, index);
  if (partials_.size() < strands_) {
    partials_.push_back(one);
    return;
  }
  partials_[next_] = fold_combine(op_, partials_[next_], one);
  next_ = next_ + 1 == strands_ ? 0 : next_ + 1;
}

Value StrandFold::finish() {
  if (partials_.empty()) return fold_empty(op_, operand_);
  const auto combine = [this](const Partial& left, const Partial& right) {
    return fold_combine(op_, left, right);
  };
  return fold_result(op_, strands::combine_tree(partials_.data(),
                                                static_cast<long long>(partials_.size()), combine));
}

}  // namespace gyre::ir
