/// Folds of a resident loop whose grid owns all points at once: each block leaves one value in
/// memory, and every block combines those for itself once all have met.
///
/// A block's strands lie side by side, its threads' points as far apart as there are threads: so a
/// warp reads neighbours. Leaves out grids that go over their points in rounds (fold.cuh).
#pragma once

#include "kernels/tile.cuh"

namespace gyre {

/// As many blocks a grid of owners has at most.
inline constexpr int most_owner_blocks = 256;

/// Point `own` of a thread's own. A block of so many threads has `strands` times as many strands;
/// where there are more points than strands at most, those of a strand follow each other.
template <int threads, int strands>
__device__ inline long long own_point(int own) {
  const unsigned first = (blockIdx.x * strands + own % strands) * threads;
  return first + threadIdx.x + own / strands * next_point;
}

__device__ inline int strands_of(int points) {
  return points < next_point ? points : static_cast<int>(next_point);
}

/// Ends a sweep's part of a fold over `points` points: a block's strands become one value.
template <class Fold, int parts, int strands>
__device__ inline void leave(State state, unsigned offset, Partials<Fold, parts, 1>& partials,
                             Tile<Fold, strands>& tile, int points) {
  constexpr int warps = parts / strands;
  const int warp = static_cast<int>(threadIdx.x / 32);
  const int lane = static_cast<int>(threadIdx.x % 32);
  const int left = strands_of(points) - static_cast<int>(blockIdx.x) * parts * 32;
#pragma unroll
  for (int own = 0; own < strands; ++own) {
    const int part = own * warps + warp;
    const int present = left - part * 32;
    const auto root = present >= 32 ? combine_full_warp<Fold>(tile.values[own])
                                    : combine_lanes<Fold, 32>(tile.values[own], present);
    if (lane == 0) partials.of_warp[part] = root;
  }
  __syncthreads();
  if (threadIdx.x >= 32 || left <= 0) return;
  const auto of_block = combine_shared<Fold>(partials.of_warp, parts_of(left, 32));
  if (lane == 0) gyre::partials<typename Fold::Value>(state, offset)[blockIdx.x] = of_block;
}

/// The fold's result, once all have met behind `leave`.
template <int strands, class Fold, int parts>
__device__ inline typename Fold::Result finish(State state, unsigned offset,
                                               Partials<Fold, parts, 1>& partials, int points) {
  using Value = typename Fold::Value;
  constexpr int each = most_owner_blocks / 32;
  if (points == 0) return Fold::empty();
  if (threadIdx.x < 32) {
    const int blocks = parts_of(strands_of(points), parts * 32);
    const int first = static_cast<int>(threadIdx.x) * each;
    const Value* left = gyre::partials<Value>(state, offset) + first;
    Value values[each];
#pragma unroll
    for (int i = 0; i < each; ++i) {
      if (first + i < blocks) values[i] = left[i];
    }
    const auto own = combine_own<Fold>(values, blocks - first);
    const auto root = combine_lanes<Fold, 32>(own, parts_of(blocks, each));
    if (threadIdx.x == 0) partials.of_block[0] = root;
  }
  __syncthreads();
  return Fold::result(partials.of_block[0]);
}

}  // namespace gyre
