/// Measures what sweeps cost by who runs them: the second half of gyre/executors/measure_costs.hpp.
#pragma once

#include "cost_timer.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/plan/cost_table.hpp"

namespace gyre::executors {

/// Fills in the costs of sweeps and folds, and how many bytes a multiprocessor goes through.
void measure_sweeps(const CostTimer& timer, const Primitives& primitives,
                    const cuda::DeviceFacts& facts, plan::CostTable& table);

}  // namespace gyre::executors
