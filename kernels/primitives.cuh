/// Kernels whose cost is what a choice between lowerings depends on. Nothing but measuring runs
/// them (src/executors/gpu/measure_costs.cpp); they resemble what is emitted, and compute nothing
/// of use.
#pragma once

extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);

namespace gyre {

/// Every thread reads and writes one float.
__device__ inline void touch(float* data) {
  float& mine = data[blockIdx.x * blockDim.x + threadIdx.x];
  mine = mine * 0.5f + 1.0f;
}

__device__ inline bool is_first_thread() {
  return blockIdx.x == 0 && threadIdx.x == 0;
}

}  // namespace gyre

extern "C" __global__ void gyre_empty(float*) {}

extern "C" __global__ void gyre_work(float* data) {
  gyre::touch(data);
}

/// Starts before its predecessor has ended, and lets its successor do so.
extern "C" __global__ void gyre_work_early(float* data) {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  gyre::touch(data);
}

extern "C" __global__ void gyre_guarded_work(float* data, const unsigned* guard) {
  if (*guard == 0) return;
  gyre::touch(data);
}

/// The block that ends last finds out that it is.
extern "C" __global__ void gyre_ticket(float* data, unsigned* tickets) {
  gyre::touch(data);
  __syncthreads();
  if (threadIdx.x != 0) return;
  __threadfence();
  if (atomicAdd(tickets, 1u) == gridDim.x - 1) *tickets = 0;
}

/// Before a loop of `trips` trips, at least one.
extern "C" __global__ void gyre_enter(unsigned* left, unsigned trips, unsigned long long loop) {
  *left = trips;
  cudaGraphSetConditional(loop, 1);
}

/// The last kernel of the loop's body.
extern "C" __global__ void gyre_repeat(float* data, unsigned* left, unsigned long long loop) {
  gyre::touch(data);
  if (!gyre::is_first_thread()) return;
  *left -= 1;
  cudaGraphSetConditional(loop, *left != 0 ? 1 : 0);
}

/// Sets a branch to `first` and the numbers behind it, `count` of them, in turns from trip to trip.
extern "C" __global__ void gyre_choose(float* data, const unsigned* left, unsigned long long branch,
                                       unsigned first, unsigned count) {
  gyre::touch(data);
  if (gyre::is_first_thread()) cudaGraphSetConditional(branch, first + *left % count);
}

/// Tells the host a decision.
extern "C" __global__ void gyre_answer(float* data, unsigned* where) {
  gyre::touch(data);
  if (gyre::is_first_thread()) *where = 1;
}

extern "C" __global__ void gyre_block_barriers(unsigned count) {
  for (unsigned i = 0; i < count; ++i) __syncthreads();
}

extern "C" __global__ void gyre_cluster_barriers(unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
#endif
  }
}

/// All blocks run at once; `arrived` is 0 at first.
extern "C" __global__ void gyre_grid_barriers(unsigned* arrived, unsigned count) {
  for (unsigned i = 1; i <= count; ++i) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(arrived, 1u);
      while (*reinterpret_cast<volatile unsigned*>(arrived) < i * gridDim.x) {
      }
      __threadfence();
    }
    __syncthreads();
  }
}
