#include "host_order.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/eval.hpp"
#include "gyre/ir/order_bits.hpp"
#include "gyre/ir/value.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace gyre::passes {
namespace {

using ir::ScalarType;

struct Keyed {
  std::uint64_t rank;
  std::int64_t position;

  // Of equal keys the one that stood first.
  friend bool operator<(const Keyed& a, const Keyed& b) {
    return a.rank != b.rank ? a.rank < b.rank : a.position < b.position;
  }
};

std::vector<Keyed> ranked(const ir::KeyOrder& order, const ir::BufferView& keys,
                          std::int64_t count) {
  std::vector<Keyed> all(static_cast<std::size_t>(count));
  const bool is_float = ir::is_float(ir::loaded_type(keys.type));
  for (std::int64_t i = 0; i < count; ++i) {
    const ir::Value key = ir::load_element(keys.type, keys.data, i);
    all[static_cast<std::size_t>(i)] = {
        // An f32 keeps its order, its zeros and its NaN as an f64.
        is_float ? ir::order_bits(order, ir::convert(key, ScalarType::F64).as<double>())
                 : ir::order_bits(order, key.as_integer()),
        i};
  }
  return all;
}

// The fields of both sides are of one type: what f16 holds is f32 in a record.
void move(const ir::BufferView& from, std::int64_t position, const ir::BufferView& to,
          std::int64_t place) {
  if (from.type != to.type) {
    ir::store_element(to.type, to.data, place, ir::load_element(from.type, from.data, position));
    return;
  }
  const auto size = static_cast<std::int64_t>(ir::size_of(from.type));
  std::memcpy(static_cast<std::byte*>(to.data) + place * size,
              static_cast<const std::byte*>(from.data) + position * size,
              static_cast<std::size_t>(size));
}

void run_order(const ir::KeyOrder& order, std::size_t fields, const ir::HostCallContext& context) {
  const std::int64_t count = *context.pointer<std::int64_t>(2 * fields);
  const std::int64_t most = std::min(count, *context.pointer<std::int64_t>(2 * fields + 1));
  std::vector<Keyed> all = ranked(order, context.arguments[0], count);
  const auto wanted = all.begin() + most;
  if (most < count) std::nth_element(all.begin(), wanted, all.end());
  std::sort(all.begin(), wanted);
  for (std::size_t i = 0; i < fields; ++i) {
    for (std::int64_t place = 0; place < most; ++place) {
      move(context.arguments[i], all[static_cast<std::size_t>(place)].position,
           context.arguments[fields + i], place);
    }
  }
}

}  // namespace

std::shared_ptr<const ir::Callee> host_order(const ir::KeyOrder& order, std::size_t fields) {
  ir::Callee callee;
  callee.name = "order";
  callee.accesses.assign(fields, ir::Access::Read);
  callee.accesses.insert(callee.accesses.end(), fields, ir::Access::ReadWrite);
  callee.accesses.insert(callee.accesses.end(), 2, ir::Access::Read);
  callee.host = [order, fields](const ir::HostCallContext& context) {
    run_order(order, fields, context);
  };
  return std::make_shared<const ir::Callee>(std::move(callee));
}

}  // namespace gyre::passes
