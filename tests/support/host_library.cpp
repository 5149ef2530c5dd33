#include "support/host_library.hpp"

#include "gyre/ir/eval.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gyre::support {
namespace {

using ir::ScalarType;

ir::Value apply(ir::Op op, const std::vector<ir::Value>& operands) {
  return ir::eval(op, operands);
}

// By `before` alone: order bits are not looked at.
bool precedes(const ir::KeyOrder& order, const ir::Value& a, const ir::Value& b) {
  const auto key = [&](const ir::Value& of) {
    return order.negated ? apply(ir::Op::Neg, {of}) : of;
  };
  const ir::Value& first = order.swapped ? b : a;
  const ir::Value& second = order.swapped ? a : b;
  return apply(ir::Op::Before, {key(first), key(second)}).as<bool>();
}

// As a GPU's library does, rubbish goes where no key counts.
void put_order(ScalarType type, const ir::KeyOrder& order, const ir::DeviceCallContext& context) {
  const std::int64_t count = *context.pointer<std::int64_t>(2);
  std::vector<std::int32_t> positions(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) {
    positions[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i);
  }
  const auto key = [&](std::int32_t at) {
    return ir::load_element(type, context.arguments[0].data, at);
  };
  std::stable_sort(positions.begin(), positions.end(),
                   [&](std::int32_t a, std::int32_t b) { return precedes(order, key(a), key(b)); });
  auto* const out = context.pointer<std::int32_t>(1);
  std::fill_n(out, context.arguments[1].element_count(), -1);
  std::copy(positions.begin(), positions.end(), out);
}

void put_sum(ScalarType type, bool exclusive, const ir::DeviceCallContext& context) {
  ir::Value sum = ir::Value::zero(type);
  for (std::int64_t i = 0; i < context.arguments[0].element_count(); ++i) {
    const ir::Value before = sum;
    sum = apply(ir::Op::Add, {sum, ir::load_element(type, context.arguments[0].data, i)});
    ir::store_element(type, context.arguments[1].data, i, exclusive ? before : sum);
  }
}

}  // namespace

ir::PrimitiveLibrary host_library(const ir::LibraryLimits& limits) {
  ir::PrimitiveLibrary library;
  library.name = "host";
  library.limits = limits;
  library.order = [](ScalarType type, ir::KeyOrder order) {
    return [type, order](const ir::DeviceCallContext& context) { put_order(type, order, context); };
  };
  library.sum = [](ScalarType type, bool exclusive) {
    return [type, exclusive](const ir::DeviceCallContext& context) {
      put_sum(type, exclusive, context);
    };
  };
  return library;
}

}  // namespace gyre::support
