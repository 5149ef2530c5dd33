/// Where a resident loop finds room on the device: which shape it gets for a run's sizes, and what
/// it is launched with.
///
/// Leaves out which loops can be resident (plan/residence.hpp) and their text (jit/).
#pragma once

#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/module.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gyre::executors {

/// All that a run brings on which shapes depend.
std::vector<std::int64_t> sizes_of(const plan::Plan& plan, const ir::Bound& bound);

/// The shapes of a plan's resident loops by their numbers in the plan's order of branches, and a
/// sentence for each loop that could be resident and finds no room.
struct Residents {
  std::map<std::uint32_t, jit::ResidentShape> shapes;
  std::vector<std::string> declined;
};

Residents find_residents(const plan::Plan& plan, const ir::Bound& bound,
                         const cuda::DeviceFacts& device, const PersistentOptions& options);

/// What a loop's kernel is launched with: a grid has no more blocks than run at once.
cuda::LaunchShape resident_launch(const plan::Plan& plan, const plan::WhileNode& loop,
                                  const jit::ResidentShape& shape, const ir::Bound& bound,
                                  const cuda::Function& function);

}  // namespace gyre::executors
