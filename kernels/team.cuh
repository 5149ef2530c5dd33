/// The threads that share a point of a sweep: one, a warp, or a block. All of them run the point's
/// body with the same values; folds in it are shared out among them, and one stores. The trips of
/// an inner foreach they make side by side.
///
/// Only sweeps that feed no outer fold are run by more than one thread a point. Those that load
/// what they store meet around the stores. Leaves out who chooses (gyre/plan/teams.hpp).
#pragma once

#include "kernels/fold.cuh"
#include "kernels/memory.cuh"

namespace gyre {

struct Team {
  /// 1, 32 or block_threads; the same for the whole grid.
  unsigned lanes;
  /// The blocks that run points: the first ones of the grid.
  unsigned blocks = gridDim.x;

  __device__ bool is_one_thread() const { return lanes == 1; }
  __device__ int lane() const { return static_cast<int>(threadIdx.x % lanes); }
  __device__ bool leads() const { return lane() == 0; }

  /// The points that this thread's team runs: the first, and the distance to the next.
  __device__ long long first_point() const { return gyre::first_point() / lanes; }
  __device__ long long next_point() const {
    return is_one_thread() ? gyre::next_point
                           : static_cast<long long>(blocks) * (block_threads / lanes);
  }

  /// One of the team stores, or adds, what all have.
  template <class T, class Value>
  __device__ void store(T* at, Value value) const {
    if (leads()) gyre::store(at, value);
  }
  template <class T>
  __device__ void add_to(T* at, T value) const {
    if (leads()) gyre::add_to(at, value);
  }

  /// Waits for the whole team; what its threads stored is seen.
  __device__ void meet() const {
    if (is_one_thread()) return;
    if (lanes == 32) return __syncwarp();
    __syncthreads();
  }

  /// The tree over the team's first `present` lanes; every lane has the root. All lanes call it.
  template <class Fold>
  __device__ typename Fold::Value combine(typename Fold::Value value, int present) const {
    if (lanes == 32) return from_first_lane(combine_lanes<Fold, 32>(value, present));
    __shared__ typename Fold::Value slots[block_threads / 32];
    // The slots of the fold before may still be read.
    __syncthreads();
    return from_first_lane(combine_block<Fold>(value, present, slots));
  }
};

}  // namespace gyre
