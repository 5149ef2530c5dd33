/// How many blocks a kernel is launched with.
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/plan/plan.hpp"

namespace gyre::executors {

/// Threads of a block that sweeps, as kernels/fold.cuh has it.
inline constexpr unsigned block_threads = 256;

/// At least one block: slots and decisions are stored at extent 0 too.
unsigned blocks_of(const plan::Plan& plan, const plan::Kernel& kernel, const ir::Bound& bound);

}  // namespace gyre::executors
