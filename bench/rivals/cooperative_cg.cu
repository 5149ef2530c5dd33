#include "rivals/fused_cg.cuh"
#include "rivals/fused_cg.hpp"
#include "support/clock.hpp"

#include <algorithm>
#include <limits>

#include <cooperative_groups.h>

namespace gyre::bench::rivals {
namespace {

// Does for each block of the fused kernels what that does, by as many blocks as there are.
template <class Block>
__device__ void for_blocks(const CgMemory& m, Block block) {
  for (int at = static_cast<int>(blockIdx.x); at < m.blocks; at += static_cast<int>(gridDim.x)) {
    block(at);
  }
}

__global__ void __launch_bounds__(block_size) solve_whole(CgMemory m) {
  const auto grid = cooperative_groups::this_grid();
  for_blocks(m, [&](int block) { begin_block(m, block); });
  grid.sync();
  double rr = sum_of_partials(m.rr_parts, m.blocks);
  const double stop2 = m.rtol * m.rtol * sum_of_partials(m.bb_parts, m.blocks);
  const int max_trips = m.state->max_trips;
  int trips = 0;
  while (rr > stop2 && trips < max_trips) {
    for_blocks(m, [&](int block) { multiply_block(m, block); });
    grid.sync();
    const double alpha = rr / sum_of_partials(m.pq_parts, m.blocks);
    for_blocks(m, [&](int block) { step_block(m, block, alpha); });
    grid.sync();
    const double next = sum_of_partials(m.rr_parts, m.blocks);
    for_blocks(m, [&](int block) { turn_block(m, block, next / rr); });
    grid.sync();
    rr = next;
    ++trips;
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) m.state->trips = trips;
}

class CooperativeCg : public SolveWay {
 public:
  std::string name() const override { return "cooperative kernel by hand"; }

  void prepare(DeviceSystem& system, const SolveLimits& limits) override {
    workspace_.prepare(system, limits);
    choose_grid(system);
  }

  SolveOutcome solve() override {
    CgMemory memory = workspace_.memory();
    void* arguments[] = {&memory};
    must(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(solve_whole), dim3(grid_),
                                     dim3(block_size), arguments, 0, stream_));
    return {workspace_.read_state(stream_).trips, 0};
  }

 private:
  // One block a multiprocessor meets the soonest, more of them hide more latency: whichever grid
  // solves this system the fastest.
  void choose_grid(DeviceSystem& system) {
    int device = 0;
    int processors = 0;
    int resident = 0;
    must(cudaGetDevice(&device));
    must(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, solve_whole, block_size, 0));
    const int blocks = workspace_.memory().blocks;
    double best = std::numeric_limits<double>::max();
    unsigned chosen = 0;
    for (int each = 1; each <= resident; ++each) {
      grid_ = static_cast<unsigned>(std::min(each * processors, blocks));
      const auto times = sample(1, 2, [&] {
        reset(system);
        return microseconds([&] { solve(); });
      });
      if (median(times) < best) {
        best = median(times);
        chosen = grid_;
      }
      if (each * processors >= blocks) break;
    }
    grid_ = chosen;
  }

  BenchStream stream_;
  CgWorkspace workspace_;
  unsigned grid_ = 1;
};

}  // namespace

std::unique_ptr<SolveWay> make_cooperative_cg() {
  return std::make_unique<CooperativeCg>();
}

}  // namespace gyre::bench::rivals
