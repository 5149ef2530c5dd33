#include "read_outcome.hpp"

#include "gyre/ir/fault_text.hpp"
#include "gyre/ir/scalar_ops.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace gyre::executors {
namespace {

// A cell holds the bits of its value; those of a narrow one are the low ones.
ir::Value value_from_bits(ir::ScalarType type, std::uint64_t bits) {
  return ir::dispatch(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (sizeof(T) == 1) {
      return ir::Value(bits != 0);
    } else {
      T value;
      std::memcpy(&value, &bits, sizeof(T));
      return ir::Value(value);
    }
  });
}

void describe_fault(const plan::Plan& plan, const std::vector<ir::BufferView>& views,
                    const jit::Control& control, ir::Outcome& outcome) {
  outcome.fault = static_cast<ir::FaultKind>(control.fault);
  if (outcome.fault == ir::FaultKind::ZeroStep) {
    outcome.detail = ir::zero_step_text();
    return;
  }
  const ir::Symbol& buffer = plan.symbols.at(control.fault_buffer);
  const auto& extents = views.at(control.fault_buffer).extents;
  const std::vector<std::int64_t> index(control.fault_index, control.fault_index + extents.size());
  outcome.detail = outcome.fault == ir::FaultKind::BrokenPromise
                       ? ir::broken_promise_text(buffer.name, index)
                       : ir::out_of_bounds_text(buffer.name, index, buffer.type, extents);
}

}  // namespace

ir::Outcome read_outcome(const DeviceModule& module, const std::vector<std::uint64_t>& result,
                         const std::vector<ir::SymbolId>& outputs,
                         const std::vector<ir::BufferView>& views) {
  const plan::Plan& plan = module.plan();
  const jit::EmittedModule& emitted = module.emitted();
  jit::Control control;
  std::memcpy(static_cast<void*>(&control), result.data(), sizeof(control));
  const std::uint64_t* words = result.data() + sizeof(control) / sizeof(std::uint64_t);
  ir::Outcome outcome;
  outcome.status = static_cast<ir::Status>(control.status);
  if (outcome.status == ir::Status::Stopped) {
    outcome.label = emitted.names[control.label];
    outcome.code = control.code;
  }
  if (outcome.status == ir::Status::TripLimit || outcome.status == ir::Status::Fault) {
    outcome.region = emitted.names[control.region];
  }
  if (outcome.status == ir::Status::Fault) describe_fault(plan, views, control, outcome);
  for (const plan::Plan::Region& region : plan.regions) {
    const auto* first =
        words + (emitted.layout.counter(region.path) - emitted.layout.first_counter()) / 8;
    if (region.arms == 0) {
      outcome.trips[region.path] = *first;
    } else {
      outcome.arms[region.path].assign(first, first + region.arms);
    }
  }
  words += emitted.layout.counter_count();
  for (const ir::SymbolId output : outputs) {
    const ir::Symbol& symbol = plan[output];
    outcome.scalars.emplace(symbol.name, value_from_bits(symbol.type, *words++));
  }
  return outcome;
}

}  // namespace gyre::executors
