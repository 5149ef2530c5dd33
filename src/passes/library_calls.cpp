#include "library_calls.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/order_bits.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace gyre::passes {
namespace {

using ir::ScalarType;

template <class T>
void run_order(const ir::KeyOrder& order, const ir::HostCallContext& context) {
  const T* keys = context.pointer<T>(0);
  const auto count = static_cast<std::size_t>(*context.pointer<std::int64_t>(2));
  std::vector<ir::OrderBits<T>> bits(count);
  std::transform(keys, keys + count, bits.begin(),
                 [&](T key) { return ir::order_bits(order, key); });
  auto* const positions = context.pointer<std::int32_t>(1);
  std::iota(positions, positions + count, 0);
  std::stable_sort(positions, positions + count, [&](std::int32_t a, std::int32_t b) {
    return bits[static_cast<std::size_t>(a)] < bits[static_cast<std::size_t>(b)];
  });
}

// Integers wrap.
template <class T>
void run_sum(bool exclusive, const ir::HostCallContext& context) {
  const T* terms = context.pointer<T>(0);
  T* const sums = context.pointer<T>(1);
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < context.arguments[0].element_count(); ++i) {
    const std::uint64_t before = sum;
    sum += static_cast<std::uint64_t>(terms[i]);
    sums[i] = static_cast<T>(exclusive ? before : sum);
  }
}

// `run` on the type that `type` names, one of `T`.
template <class... T, class Run>
void with_type(ScalarType type, const Run& run) {
  const bool known = ((type == ir::type_of<T> && (run(T{}), true)) || ...);
  GYRE_CHECK(known, "a library was asked for a type that it has not");
}

}  // namespace

std::shared_ptr<const ir::Callee> order_call(const ir::PrimitiveLibrary& library, ScalarType key,
                                             const ir::KeyOrder& order) {
  ir::Callee callee;
  callee.name = library.name + "_order";
  // Behind the keys that count anything may be stored, or what was there stays.
  callee.accesses = {ir::Access::Read, ir::Access::Write, ir::Access::Read};
  callee.host = [key, order](const ir::HostCallContext& context) {
    with_type<std::int32_t, std::int64_t, float, double>(
        key, [&](auto zero) { run_order<decltype(zero)>(order, context); });
  };
  callee.device = library.order(key, order);
  return std::make_shared<const ir::Callee>(std::move(callee));
}

std::shared_ptr<const ir::Callee> sum_call(const ir::PrimitiveLibrary& library, ScalarType term,
                                           bool exclusive) {
  ir::Callee callee;
  callee.name = library.name + "_sum";
  callee.accesses = {ir::Access::Read, ir::Access::ReadWrite};
  callee.host = [term, exclusive](const ir::HostCallContext& context) {
    with_type<std::int32_t, std::int64_t>(
        term, [&](auto zero) { run_sum<decltype(zero)>(exclusive, context); });
  };
  callee.device = library.sum(term, exclusive);
  return std::make_shared<const ir::Callee>(std::move(callee));
}

}  // namespace gyre::passes
