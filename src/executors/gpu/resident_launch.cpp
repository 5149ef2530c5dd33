#include "resident_launch.hpp"

#include "grid.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/plan/residence.hpp"

#include <algorithm>

namespace gyre::executors {

std::size_t shared_bytes_of(const plan::Plan& plan, ir::SymbolId buffer, const ir::Bound& bound) {
  const auto elements = static_cast<std::size_t>(bound.buffer(buffer).element_count());
  return (elements * ir::size_of(plan[buffer].type) + 15) / 16 * 16;
}

cuda::LaunchShape resident_launch(const plan::Plan& plan, const plan::WhileNode& loop,
                                  const jit::ResidentShape& shape, const ir::Bound& bound,
                                  const cuda::Function& function) {
  cuda::LaunchShape launch{.grid_x = shape.blocks(), .block_x = shape.threads};
  for (const ir::SymbolId buffer : shape.shared) {
    launch.shared_bytes += static_cast<unsigned>(shared_bytes_of(plan, buffer, bound));
  }
  if (shape.crew == jit::Crew::Cluster) launch.cluster_x = shape.blocks();
  if (shape.crew != jit::Crew::Grid) return launch;
  plan::for_each_kernel(plan, *loop.body, [&](const plan::Kernel& kernel) {
    launch.grid_x = std::max(launch.grid_x, blocks_of(plan, kernel, bound));
  });
  const int at_once = function.blocks_per_sm(static_cast<int>(shape.threads), 0) *
                      cuda::read_device_facts().sm_count;
  const unsigned wanted = launch.grid_x;
  launch.grid_x = std::min(wanted, static_cast<unsigned>(std::max(1, at_once)));
  GYRE_CHECK(shape.goes_in_rounds() || launch.grid_x == wanted,
             "a grid whose blocks are not all on the device at once");
  launch.cooperative = true;
  return launch;
}

}  // namespace gyre::executors
