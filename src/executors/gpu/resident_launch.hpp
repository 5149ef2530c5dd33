/// What the kernel of a resident loop is launched with.
///
/// Leaves out which shape a loop gets (residence.hpp).
#pragma once

#include "gyre/cuda/module.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <map>

namespace gyre::executors {

/// For how many elements of each buffer of some rows a block has room, by the rows' number.
using RowRooms = std::map<std::uint32_t, unsigned>;
RowRooms row_rooms(const plan::Plan& plan, const plan::WhileNode& loop,
                   const jit::ResidentShape& shape, const ir::Bound& bound);

/// A grid has no more blocks than run at once.
cuda::LaunchShape resident_launch(const plan::Plan& plan, const plan::WhileNode& loop,
                                  const jit::ResidentShape& shape, const ir::Bound& bound,
                                  const cuda::Function& function);

}  // namespace gyre::executors
