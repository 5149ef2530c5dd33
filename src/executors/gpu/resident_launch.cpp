#include "resident_launch.hpp"

#include "chip_room.hpp"
#include "grid.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/ir/strands.hpp"
#include "gyre/plan/residence.hpp"

#include <algorithm>

namespace gyre::executors {

namespace {

// The points of the loop's largest sweep.
long long most_points(const plan::Plan& plan, const plan::WhileNode& loop, const ir::Bound& bound) {
  long long most = 0;
  plan::for_each_kernel(plan, *loop.body, [&](const plan::Kernel& kernel) {
    if (kernel.sweep) most = std::max(most, points_of(plan, *kernel.sweep, bound).value_or(0));
  });
  return most;
}

// As many blocks as the largest sweep would have by itself, if so many run at once.
unsigned blocks_in_rounds(const plan::Plan& plan, const plan::WhileNode& loop,
                          const ir::Bound& bound, unsigned at_once) {
  unsigned blocks = 1;
  plan::for_each_kernel(plan, *loop.body, [&](const plan::Kernel& kernel) {
    blocks = std::max(blocks, blocks_of(plan, kernel, bound));
  });
  return std::min(blocks, std::max(1U, at_once));
}

unsigned blocks_of_owners(long long points, const jit::ResidentShape& shape) {
  const long long each = static_cast<long long>(shape.threads) * shape.strands;
  const long long strands = std::min(points, strands::max_outer);
  return static_cast<unsigned>(std::max(1LL, (strands + each - 1) / each));
}

}  // namespace

RowRooms row_rooms(const plan::Plan& plan, const plan::WhileNode& loop,
                   const jit::ResidentShape& shape, const ir::Bound& bound) {
  RowRooms rooms;
  const ChipRoom chip(plan, loop, bound, cuda::read_device_facts());
  for (const auto& [number, room] : chip.room_for_rows(shape)) rooms[number] = room.elements;
  return rooms;
}

cuda::LaunchShape resident_launch(const plan::Plan& plan, const plan::WhileNode& loop,
                                  const jit::ResidentShape& shape, const ir::Bound& bound,
                                  const cuda::Function& function) {
  const cuda::DeviceFacts& device = cuda::read_device_facts();
  cuda::LaunchShape launch{.grid_x = shape.blocks(), .block_x = shape.threads};
  launch.shared_bytes = ChipRoom(plan, loop, bound, device).shared_bytes(shape);
  if (shape.crew == jit::Crew::Cluster) launch.cluster_x = shape.blocks();
  if (shape.crew != jit::Crew::Grid) return launch;
  const auto at_once = static_cast<unsigned>(
      function.blocks_per_sm(static_cast<int>(shape.threads), launch.shared_bytes) *
      device.sm_count);
  launch.grid_x = shape.goes_in_rounds() ? blocks_in_rounds(plan, loop, bound, at_once)
                                         : blocks_of_owners(most_points(plan, loop, bound), shape);
  GYRE_CHECK(launch.grid_x <= std::max(1U, at_once),
             "a grid whose blocks are not all on the device at once");
  launch.cooperative = true;
  return launch;
}

}  // namespace gyre::executors
