/// Measuring on this machine's GPU what control flow costs.
///
/// Leaves out where the numbers are kept (gyre/plan/find_cost_table.hpp) and what is chosen by them
/// (gyre/plan/cost_model.hpp).
#pragma once

#include "gyre/plan/cost_table.hpp"

namespace gyre::executors {

/// How carefully to measure.
struct MeasureOptions {
  /// Of kernels, trips and barriers that are timed in one go. The more, the less of what surrounds
  /// them is left in the figures.
  unsigned items = 512;
  /// Every time is the median of as many runs as fit into this, three at least.
  double seconds_each = 0.05;
};

/// The costs of the GPU that programs run on, in a few seconds; nothing else should run there
/// meanwhile. What it lacks has the price of what stands in: an early start that of an ordinary
/// one, SWITCH that of IF nodes, a barrier of a cluster that of a grid. Throws EnvironmentError
/// where there is no GPU with conditional nodes, and where it fails.
plan::CostTable measure_costs(const MeasureOptions& options = {});

}  // namespace gyre::executors
