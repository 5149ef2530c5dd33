/// Where a resident loop finds room on the device: which shape it gets for a run's sizes.
///
/// Leaves out which loops can be resident (plan/residence.hpp), what their trips take
/// (trip_prices.hpp), their text (jit/) and their launch (resident_launch.hpp).
#pragma once

#include "gyre/cuda/device_facts.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/cost_table.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gyre::executors {

/// All that a run brings on which shapes depend.
std::vector<std::int64_t> sizes_of(const plan::Plan& plan, const ir::Bound& bound);

/// The shapes of a plan's resident loops by their numbers in the plan's order of branches; a
/// sentence for each that was chosen by its price, and for each loop that could be resident and
/// finds no room or is quicker as kernels of a graph.
struct Residents {
  std::map<std::uint32_t, jit::ResidentShape> shapes;
  std::vector<std::string> chosen;
  std::vector<std::string> declined;
};

Residents find_residents(const plan::Plan& plan, const ir::Bound& bound,
                         const cuda::DeviceFacts& device, const plan::CostTable& costs,
                         const PersistentOptions& options);

}  // namespace gyre::executors
