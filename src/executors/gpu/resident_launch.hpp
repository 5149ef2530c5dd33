/// What the kernel of a resident loop is launched with.
///
/// Leaves out which shape a loop gets (residence.hpp).
#pragma once

#include "gyre/cuda/module.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/plan.hpp"

#include <cstddef>

namespace gyre::executors {

/// What a buffer takes of a block's shared memory.
std::size_t shared_bytes_of(const plan::Plan& plan, ir::SymbolId buffer, const ir::Bound& bound);

/// A grid has no more blocks than run at once.
cuda::LaunchShape resident_launch(const plan::Plan& plan, const plan::WhileNode& loop,
                                  const jit::ResidentShape& shape, const ir::Bound& bound,
                                  const cuda::Function& function);

}  // namespace gyre::executors
