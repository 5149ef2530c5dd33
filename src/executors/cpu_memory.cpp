#include "cpu_memory.hpp"

#include "cpu_locate.hpp"
#include "gyre/ir/half.hpp"

#include <atomic>
#include <cstring>
#include <limits>
#include <type_traits>

namespace gyre::executors::cpu {
namespace {

/// How an element lies in memory, and what it is once loaded.
template <class T>
struct Plain {
  using Stored = T;
  using Loaded = T;
  static T load(T stored) { return stored; }
  static T store(T value) { return value; }
};
struct BoolElement {
  using Stored = std::uint8_t;
  using Loaded = bool;
  static bool load(std::uint8_t stored) { return stored != 0; }
  static std::uint8_t store(bool value) { return value ? 1 : 0; }
};
struct F16Element {
  using Stored = std::uint16_t;
  using Loaded = float;
  static float load(std::uint16_t stored) { return ir::f32_from_f16(stored); }
  static std::uint16_t store(float value) { return ir::f16_from_f32(value); }
};
struct Bf16Element {
  using Stored = std::uint16_t;
  using Loaded = float;
  static float load(std::uint16_t stored) { return ir::f32_from_bf16(stored); }
  static std::uint16_t store(float value) { return ir::bf16_from_f32(value); }
};

template <class Element>
constexpr bool is_plain = std::is_same_v<Element, Plain<typename Element::Stored>>;

template <class Element>
typename Element::Stored* elements_of(Machine& machine, const Access& access) {
  char* data = machine.shared().buffers[static_cast<std::size_t>(access.buffer)].data;
  return reinterpret_cast<typename Element::Stored*>(data);
}

template <class I>
bool all_inside(const I* index, int count, std::int64_t extent) {
  using U = std::make_unsigned_t<I>;
  // An extent past the index type's range is no bound on what is not negative.
  const auto bound = static_cast<U>(
      std::min<std::uint64_t>(static_cast<std::uint64_t>(extent),
                              static_cast<std::uint64_t>(std::numeric_limits<I>::max()) + 1));
  U outside = 0;
  for (int i = 0; i < count; ++i) outside |= static_cast<U>(static_cast<U>(index[i]) >= bound);
  return outside == 0;
}

// buf[v] with v of every lane in a register: the one access that solvers spend their time in.
template <class Element, class I>
bool gather(Machine& machine, Context& context, const Instr& instr, const Access& access) {
  const Register& r = machine.reg(access.index[0]);
  const auto* index = static_cast<const I*>(r.data);
  const auto& buffer = machine.shared().buffers[static_cast<std::size_t>(access.buffer)];
  if (!all_inside(index, context.lanes, buffer.extents[0])) return false;
  const auto* data = elements_of<Element>(machine, access);
  auto* __restrict out = machine.storage<typename Element::Loaded>(instr.out);
  for (int i = 0; i < context.lanes; ++i) out[i] = Element::load(data[index[i]]);
  machine.set_vector(instr.out);
  return true;
}

template <class Element>
bool gathers(Machine& machine, Context& context, const Instr& instr, const Access& access,
             const Lanes& lanes) {
  if (access.index.size() != 1 || lanes.list != nullptr || machine.watch != nullptr) return false;
  const RegId id = access.index[0];
  if (machine.reg(id).form != Form::Vector) return false;
  return machine.body().registers[id].type == ir::ScalarType::I32
             ? gather<Element, std::int32_t>(machine, context, instr, access)
             : gather<Element, std::int64_t>(machine, context, instr, access);
}

template <class Element>
void run_load(Machine& machine, Context& context, const Instr& instr, const Lanes& active) {
  using Loaded = typename Element::Loaded;
  const Access& access = machine.body().accesses[instr.side];
  if (gathers<Element>(machine, context, instr, access, active)) return;

  const LaneFrame frame(machine.lane_stack());
  Lanes lanes = active;
  const Location at = locate(machine, context, access, Watched::Load, lanes);
  if (lanes.count == 0) return;
  auto* data = elements_of<Element>(machine, access);
  if (at.offsets == nullptr && at.step == 0) {
    return machine.set_value(instr.out, Element::load(data[at.first]));
  }
  if constexpr (is_plain<Element>) {
    if (at.offsets == nullptr && at.step == 1 && access.stable) {
      machine.reg(instr.out) = {data + at.first, 0, 0, Form::Vector, false};
      return;
    }
  }
  auto* __restrict out = machine.storage<Loaded>(instr.out);
  machine.set_vector(instr.out);
  if (at.offsets == nullptr && at.step == 1 && lanes.list == nullptr) {
    const auto* from = data + at.first;
    for (int i = 0; i < lanes.count; ++i) out[i] = Element::load(from[i]);
  } else {
    for_each_lane(lanes, [&](int i) { out[i] = Element::load(data[at[i]]); });
  }
}

template <class Element>
void run_store(Machine& machine, Context& context, const Instr& instr, const Lanes& active) {
  using Loaded = typename Element::Loaded;
  const Access& access = machine.body().accesses[instr.side];
  const LaneFrame frame(machine.lane_stack());
  Lanes lanes = active;
  const Location at = locate(machine, context, access, Watched::Store, lanes);
  const Operand<Loaded> values = machine.operand<Loaded>(instr.in[0], context);
  auto* data = elements_of<Element>(machine, access);
  if (at.offsets == nullptr && at.step == 1 && lanes.list == nullptr) {
    auto* __restrict to = data + at.first;
    if (values.stride == 0) {
      const auto value = Element::store(*values.data);
      for (int i = 0; i < lanes.count; ++i) to[i] = value;
    } else {
      const Loaded* __restrict from = values.data;
      for (int i = 0; i < lanes.count; ++i) to[i] = Element::store(from[i]);
    }
  } else {
    for_each_lane(lanes, [&](int i) { data[at[i]] = Element::store(values[i]); });
  }
}

template <class T>
void run_scatter_add(Machine& machine, Context& context, const Instr& instr, const Lanes& active) {
  const Access& access = machine.body().accesses[instr.side];
  const LaneFrame frame(machine.lane_stack());
  Lanes lanes = active;
  const Location at = locate(machine, context, access, Watched::Nothing, lanes);
  const Operand<T> values = machine.operand<T>(instr.in[0], context);
  T* data = elements_of<Plain<T>>(machine, access);
  if (machine.shared().concurrent) {
    for_each_lane(lanes, [&](int i) {
      std::atomic_ref<T>(data[at[i]]).fetch_add(values[i], std::memory_order_relaxed);
    });
  } else {
    for_each_lane(lanes, [&](int i) { data[at[i]] = ops::add(data[at[i]], values[i]); });
  }
}

template <class Function>
Run with_element(ir::ScalarType element, Function function) {
  switch (element) {
    case ir::ScalarType::Bool: return function(BoolElement{});
    case ir::ScalarType::F16: return function(F16Element{});
    case ir::ScalarType::BF16: return function(Bf16Element{});
    default: break;
  }
  return ir::dispatch(element, [&](auto zero) -> Run {
    if constexpr (std::is_same_v<decltype(zero), bool>) {
      return function(BoolElement{});
    } else {
      return function(Plain<decltype(zero)>{});
    }
  });
}

}  // namespace

Run run_of_load(ir::ScalarType element) {
  return with_element(element, [](auto e) -> Run { return &run_load<decltype(e)>; });
}

Run run_of_store(ir::ScalarType element) {
  return with_element(element, [](auto e) -> Run { return &run_store<decltype(e)>; });
}

Run run_of_scatter_add(ir::ScalarType element) {
  GYRE_CHECK(ir::is_integer(element), "only integers are added where indices may meet");
  return element == ir::ScalarType::I32 ? Run{&run_scatter_add<std::int32_t>}
                                        : Run{&run_scatter_add<std::int64_t>};
}

}  // namespace gyre::executors::cpu
