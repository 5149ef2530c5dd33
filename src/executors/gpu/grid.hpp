/// How many points a sweep has, and how many blocks a kernel is launched with.
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/plan/plan.hpp"

#include <optional>
#include <vector>

namespace gyre::executors {

/// Threads of a block that sweeps, as kernels/fold.cuh has it.
inline constexpr unsigned block_threads = 256;

/// A bound or extent of sizes and literals, as a kernel computes it: i64 wraps. `values` by
/// SymbolId.
ir::Value evaluate(const ir::Expr& expr, const std::vector<ir::Value>& values);

/// None where only the device knows: a bound reads a slot.
std::optional<long long> points_of(const plan::Plan& plan, const plan::Sweep& sweep,
                                   const ir::Bound& bound);

/// The blocks that the strands of so many points fill; of an unknown number, the most there are.
unsigned strand_blocks(std::optional<long long> points);

/// At least one block: slots and decisions are stored at extent 0 too. `lanes`: how many threads
/// share each point of its sweep.
unsigned blocks_of(const plan::Plan& plan, const plan::Kernel& kernel, const ir::Bound& bound,
                   unsigned lanes = 1);

}  // namespace gyre::executors
