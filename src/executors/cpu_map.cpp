#include "cpu_map.hpp"

#include "cpu_machine.hpp"

#include <cstring>
#include <limits>
#include <type_traits>

namespace gyre::executors::cpu {
namespace {

using ir::OperandClass;

#define GYRE_OP(id, function, ...)         \
  struct id##Function {                    \
    template <class... A>                  \
    auto operator()(A... operands) const { \
      return ops::function(operands...);   \
    }                                      \
  };
#include "gyre/ir/op.def"

template <class To>
struct Convert {
  template <class From>
  To operator()(From value) const {
    return ops::convert<To>(value);
  }
};

template <class T>
constexpr bool is_index_type = std::is_same_v<T, std::int32_t> || std::is_same_v<T, std::int64_t>;

// Where both ends of a sequence are values of T, so is everything between, and no step wraps.
template <class T>
bool set_sequence_if_in_range(Machine& machine, const Context& context, RegId out,
                              std::int64_t first, std::int64_t step) {
  std::int64_t span = 0;
  std::int64_t last = 0;
  if (__builtin_mul_overflow(step, std::int64_t{context.lanes} - 1, &span) ||
      __builtin_add_overflow(first, span, &last)) {
    return false;
  }
  using Limits = std::numeric_limits<T>;
  if (first < Limits::min() || first > Limits::max()) return false;
  if (last < Limits::min() || last > Limits::max()) return false;
  machine.set_sequence(out, first, step);
  return true;
}

template <class F, class T>
bool stays_sequence(Machine& machine, const Context& context, const Instr& instr) {
  constexpr bool adds = std::is_same_v<F, AddFunction>;
  constexpr bool subtracts = std::is_same_v<F, SubFunction>;
  constexpr bool multiplies = std::is_same_v<F, MulFunction>;
  if constexpr (is_index_type<T> && (adds || subtracts || multiplies)) {
    const Register& a = machine.reg(instr.in[0]);
    const Register& b = machine.reg(instr.in[1]);
    if (a.form == Form::Vector || b.form == Form::Vector) return false;
    if (a.form == b.form) return false;
    const std::int64_t a0 = machine.integer_at(instr.in[0], 0);
    const std::int64_t b0 = machine.integer_at(instr.in[1], 0);
    const std::int64_t a1 = a.form == Form::Sequence ? a.step : 0;
    const std::int64_t b1 = b.form == Form::Sequence ? b.step : 0;
    std::int64_t first = 0;
    std::int64_t step = 0;
    bool wraps = false;
    if constexpr (adds) {
      wraps = __builtin_add_overflow(a0, b0, &first) || __builtin_add_overflow(a1, b1, &step);
    } else if constexpr (subtracts) {
      wraps = __builtin_sub_overflow(a0, b0, &first) || __builtin_sub_overflow(a1, b1, &step);
    } else {
      const std::int64_t factor = a.form == Form::Sequence ? b0 : a0;
      wraps =
          __builtin_mul_overflow(a0, b0, &first) || __builtin_mul_overflow(a1 + b1, factor, &step);
    }
    return !wraps && set_sequence_if_in_range<T>(machine, context, instr.out, first, step);
  }
  return false;
}

template <class F, class A>
void run_unary(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  using R = std::invoke_result_t<F, A>;
  const F function;
  if constexpr (std::is_same_v<F, Convert<R>> && is_index_type<R> && is_index_type<A>) {
    const Register& in = machine.reg(instr.in[0]);
    if (in.form == Form::Sequence &&
        set_sequence_if_in_range<R>(machine, context, instr.out, in.first, in.step)) {
      return;
    }
  }
  const Operand<A> a = machine.operand<A>(instr.in[0], context);
  R* __restrict out = machine.storage<R>(instr.out);
  if (a.stride == 0) return machine.set_value(instr.out, function(*a.data));
  machine.set_vector(instr.out);
  if (lanes.list == nullptr) {
    const A* __restrict in = a.data;
    for (int i = 0; i < lanes.count; ++i) out[i] = function(in[i]);
  } else {
    for_each_lane(lanes, [&](int i) { out[i] = function(a.data[i]); });
  }
}

template <class F, class A>
void run_binary(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  using R = std::invoke_result_t<F, A, A>;
  const F function;
  if (stays_sequence<F, A>(machine, context, instr)) return;
  const Operand<A> a = machine.operand<A>(instr.in[0], context);
  const Operand<A> b = machine.operand<A>(instr.in[1], context);
  R* __restrict out = machine.storage<R>(instr.out);
  if (a.stride + b.stride == 0) {
    return machine.set_value(instr.out, function(*a.data, *b.data));
  }
  machine.set_vector(instr.out);
  const A* __restrict left = a.data;
  const A* __restrict right = b.data;
  if (lanes.list != nullptr) {
    for_each_lane(lanes, [&](int i) { out[i] = function(a[i], b[i]); });
  } else if (b.stride == 0) {
    const A same = *right;
    for (int i = 0; i < lanes.count; ++i) out[i] = function(left[i], same);
  } else if (a.stride == 0) {
    const A same = *left;
    for (int i = 0; i < lanes.count; ++i) out[i] = function(same, right[i]);
  } else {
    for (int i = 0; i < lanes.count; ++i) out[i] = function(left[i], right[i]);
  }
}

template <class F, class C, class A>
void run_ternary(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  using R = std::invoke_result_t<F, C, A, A>;
  const F function;
  const Operand<C> c = machine.operand<C>(instr.in[0], context);
  const Operand<A> a = machine.operand<A>(instr.in[1], context);
  const Operand<A> b = machine.operand<A>(instr.in[2], context);
  if (c.stride + a.stride + b.stride == 0) {
    return machine.set_value(instr.out, function(*c.data, *a.data, *b.data));
  }
  R* out = machine.storage<R>(instr.out);
  machine.set_vector(instr.out);
  if (lanes.list == nullptr && c.stride == 1 && a.stride == 1 && b.stride == 1) {
    for (int i = 0; i < lanes.count; ++i) out[i] = function(c.data[i], a.data[i], b.data[i]);
  } else {
    for_each_lane(lanes, [&](int i) { out[i] = function(c[i], a[i], b[i]); });
  }
}

template <class F, OperandClass Operands, int Arity>
Run pick(ir::ScalarType type) {
  return ir::dispatch(type, [](auto zero) -> Run {
    using T = decltype(zero);
    if constexpr (!ir::admits(Operands, ir::type_of<T>)) {
      GYRE_CHECK(false, "an operator on a type that it does not take");
      return nullptr;
    } else if constexpr (Operands == OperandClass::Chosen) {
      return &run_ternary<F, bool, T>;
    } else if constexpr (Arity == 1) {
      return &run_unary<F, T>;
    } else if constexpr (Arity == 2) {
      return &run_binary<F, T>;
    } else {
      return &run_ternary<F, T, T>;
    }
  });
}

template <class T>
void run_assign(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes) {
  if (lanes.count == context.lanes) {
    const Register& in = machine.reg(instr.in[0]);
    if (in.form == Form::Sequence) return machine.set_sequence(instr.out, in.first, in.step);
    if (in.form == Form::Uniform) {
      return machine.set_value(instr.out, *static_cast<const T*>(in.data));
    }
    std::memcpy(machine.storage<T>(instr.out), in.data,
                static_cast<std::size_t>(context.lanes) * sizeof(T));
    return machine.set_vector(instr.out);
  }
  T* out = machine.own_vector<T>(instr.out, context);
  const Operand<T> in = machine.operand<T>(instr.in[0], context);
  for_each_lane(lanes, [&](int i) { out[i] = in[i]; });
}

template <class T>
void run_expand(Machine& machine, Context& context, const Instr& instr, const Lanes&) {
  const Register& in = machine.reg(instr.in[0]);
  if (in.form == Form::Uniform) {
    return machine.set_value(instr.out, *static_cast<const T*>(in.data));
  }
  const Operand<T> values = machine.operand<T>(instr.in[0], *context.parent);
  if (context.segment_count == 1) {
    return machine.set_value(instr.out, values[context.segments[0].lane]);
  }
  T* __restrict out = machine.storage<T>(instr.out);
  const std::int32_t* owners = context.owner_list();
  for (int i = 0; i < context.lanes; ++i) out[i] = values.data[owners[i]];
  machine.set_vector(instr.out);
}

}  // namespace

Run run_of_op(ir::Op op, ir::ScalarType type) {
  switch (op) {
#define GYRE_OP(id, function, spelling, form, arity, operand_class, result, bits) \
  case ir::Op::id:                                                                \
    return pick<id##Function, OperandClass::operand_class, arity>(type);
#include "gyre/ir/op.def"
  }
  GYRE_CHECK(false, "an operator that op.def does not list");
  return nullptr;
}

Run run_of_cast(ir::ScalarType to, ir::ScalarType from) {
  return ir::dispatch(to, [&](auto result) {
    return ir::dispatch(from, [](auto operand) -> Run {
      return &run_unary<Convert<decltype(result)>, decltype(operand)>;
    });
  });
}

Run run_of_assign(ir::ScalarType type) {
  return ir::dispatch(type, [](auto zero) -> Run { return &run_assign<decltype(zero)>; });
}

Run run_of_expand(ir::ScalarType type) {
  return ir::dispatch(type, [](auto zero) -> Run { return &run_expand<decltype(zero)>; });
}

}  // namespace gyre::executors::cpu
