/// The kernels of fused_cg.hpp. A trip is multiply, step and turn.
#pragma once

#include "rivals/fold.cuh"
#include "support/solve_way.hpp"

#include <cstdint>

#include <cuda_runtime.h>

namespace gyre::bench::rivals {

/// What a solve goes by from kernel to kernel.
struct CgState {
  double rr;
  /// r.r of the trip to come: written by turn, made rr by multiply, so that no kernel reads what
  /// one of its own blocks writes.
  double next;
  double stop2;
  std::int32_t trips;
  std::int32_t max_trips;
  std::int32_t goes_on;
};

/// Everything that the kernels work on.
struct CgMemory {
  std::int64_t n;
  int blocks;
  double rtol;
  const std::int32_t* row;
  const std::int32_t* col;
  const double* val;
  const double* b;
  double* x;
  double* r;
  double* p;
  double* q;
  /// One sum a block.
  double* rr_parts;
  double* pq_parts;
  double* bb_parts;
  CgState* state;
};

/// The vectors and sums that a solve has beside its system, and where its kernels find everything.
class CgWorkspace {
 public:
  void prepare(const DeviceSystem& system, const SolveLimits& limits) {
    const auto n = static_cast<std::size_t>(system.rows());
    doubles_ = DeviceArray<double>(3 * n + 3 * most_blocks);
    state_ = DeviceArray<CgState>(std::vector<CgState>{{.max_trips = limits.max_trips}});
    double* r = doubles_.data();
    double* parts = r + 3 * n;
    memory_ = {.n = system.rows(),
               .blocks = blocks_of(system.rows()),
               .rtol = limits.rtol,
               .row = system.row.data(),
               .col = system.col.data(),
               .val = system.val.data(),
               .b = system.b.data(),
               .x = system.x.data(),
               .r = r,
               .p = r + n,
               .q = r + 2 * n,
               .rr_parts = parts,
               .pq_parts = parts + most_blocks,
               .bb_parts = parts + 2 * most_blocks,
               .state = state_.data()};
  }

  const CgMemory& memory() const { return memory_; }

  /// What the kernels on `stream` have come to, as `.item()` reads it.
  CgState read_state(const BenchStream& stream) const {
    CgState state = {};
    must(cudaMemcpyAsync(&state, state_.data(), sizeof state, cudaMemcpyDeviceToHost, stream));
    stream.wait();
    return state;
  }

 private:
  CgMemory memory_ = {};
  DeviceArray<double> doubles_;
  DeviceArray<CgState> state_;
};

/// Waits for the kernel before, where this one was started early, and lets the next one start.
__device__ inline void take_turn() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

/// Calls visit(i) for what thread and `block` have of 0 .. n.
template <class Visit>
__device__ void visit_strand(const CgMemory& m, int block, Visit visit) {
  const std::int64_t width = static_cast<std::int64_t>(m.blocks) * block_size;
  for (std::int64_t i = static_cast<std::int64_t>(block) * block_size + threadIdx.x; i < m.n;
       i += width) {
    visit(i);
  }
}

__device__ inline void store_part(double* parts, int block, double strand) {
  const double sum = sum_of_block(strand);
  if (threadIdx.x == 0) parts[block] = sum;
}

__device__ inline double row_product(const CgMemory& m, std::int64_t i, const double* x) {
  return inner_sum(m.row[i], m.row[i + 1], [&](std::int32_t k) { return m.val[k] * x[m.col[k]]; });
}

/// r = p = b - A x, and parts of r.r and b.b
__device__ inline void begin_block(const CgMemory& m, int block) {
  double rr = nothing;
  double bb = nothing;
  visit_strand(m, block, [&](std::int64_t i) {
    const double b = m.b[i];
    const double r = b - row_product(m, i, m.x);
    m.r[i] = r;
    m.p[i] = r;
    rr += r * r;
    bb += b * b;
  });
  store_part(m.rr_parts, block, rr);
  store_part(m.bb_parts, block, bb);
}

/// q = A p, and parts of p.q
__device__ inline void multiply_block(const CgMemory& m, int block) {
  double pq = nothing;
  visit_strand(m, block, [&](std::int64_t i) {
    const double q = row_product(m, i, m.p);
    m.q[i] = q;
    pq += m.p[i] * q;
  });
  store_part(m.pq_parts, block, pq);
}

/// x += alpha p, r -= alpha q, and parts of r.r
__device__ inline void step_block(const CgMemory& m, int block, double alpha) {
  double rr = nothing;
  visit_strand(m, block, [&](std::int64_t i) {
    m.x[i] += alpha * m.p[i];
    const double r = m.r[i] - alpha * m.q[i];
    m.r[i] = r;
    rr += r * r;
  });
  store_part(m.rr_parts, block, rr);
}

/// p = r + beta p
__device__ inline void turn_block(const CgMemory& m, int block, double beta) {
  visit_strand(m, block, [&](std::int64_t i) { m.p[i] = m.r[i] + beta * m.p[i]; });
}

}  // namespace gyre::bench::rivals
