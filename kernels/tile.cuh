/// Folds of a resident loop whose threads own all points at once, in the strand shape of
/// gyre/ir/strands.hpp: a thread's adjacent strands, a warp's lanes by shuffles, and the warps by
/// shared memory, from which every thread takes the result for itself. The blocks of a cluster tell
/// each other one value each: small stores to another block's memory are slow.
///
/// As many strands as points, so that each has one term, but in a grid. Leaves out where a grid's
/// blocks leave their values (grid_tile.cuh).
#pragma once

#include "kernels/fold.cuh"

namespace gyre {

/// One thread's strands. Its points go round them: the first of each comes before all second ones.
template <class Fold, int strands>
struct Tile {
  typename Fold::Value values[strands];

  __device__ void add(int own, typename Fold::Term term, long long index) {
    const auto value = Fold::first(term, index);
    auto& strand = values[own % strands];
    strand = own < strands ? value : Fold::combine(strand, value);
  }
};

/// A fold under way, in shared memory: a value of each warp of the block, and in a cluster one of
/// each block.
template <class Fold, int warps, int blocks>
struct alignas(16) Partials {
  typename Fold::Value of_warp[warps];
  alignas(16) typename Fold::Value of_block[blocks];
};

/// The adjacent-pair tree over the first `present` of a thread's values.
template <class Fold, int count>
__device__ inline typename Fold::Value combine_own(typename Fold::Value (&values)[count],
                                                   int present) {
#pragma unroll
  for (int distance = 1; distance < count; distance *= 2) {
#pragma unroll
    for (int i = 0; i + distance < count; i += 2 * distance) {
      if (i + distance < present) values[i] = Fold::combine(values[i], values[i + distance]);
    }
  }
  return values[0];
}

template <class T>
__device__ inline T from_lane(T value, int lane) {
  return __shfl_sync(0xffffffffu, value, lane);
}
__device__ inline bool from_lane(bool value, int lane) {
  return __shfl_sync(0xffffffffu, value ? 1 : 0, lane) != 0;
}
template <class T>
__device__ inline ops::Located<T> from_lane(ops::Located<T> value, int lane) {
  return {from_lane(value.value, lane), from_lane(value.index, lane)};
}

/// The tree over the first `present` of each `lanes` neighbours; all of them have the root. Folds
/// are commutative, so that a lane need not know on which side it stands.
template <class Fold, int lanes>
__device__ inline typename Fold::Value combine_everywhere(typename Fold::Value value, int present) {
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (int distance = 1; distance < lanes; distance *= 2) {
    const auto other = from_lane(value, lane ^ distance);
    const int mine = lane % lanes / distance * distance;
    const bool others_are_there = (mine ^ distance) < present;
    value = mine < present && others_are_there ? Fold::combine(value, other)
            : others_are_there                 ? other
                                               : value;
  }
  return value;
}

/// The tree over the first `present` of `count` values in shared memory, for every thread. Several
/// values a lane, as few lanes as that leaves: shuffles are dearer than loads.
template <class Fold, int count>
__device__ inline typename Fold::Value combine_shared(const typename Fold::Value (&shared)[count],
                                                      int present) {
  constexpr int each = count < 8 ? count : 8;
  constexpr int lanes = count / each;
  const int first = static_cast<int>(threadIdx.x) % lanes * each;
  typename Fold::Value values[each];
#pragma unroll
  for (int i = 0; i < each; ++i) values[i] = shared[first + i];
  if (present >= count) {
    return combine_everywhere<Fold, lanes>(combine_own<Fold>(values, each), lanes);
  }
  return combine_everywhere<Fold, lanes>(combine_own<Fold>(values, present - first),
                                         (present + each - 1) / each);
}

/// How many parts of `size` points `points` points fill.
__device__ inline int parts_of(int points, int size) {
  return (points + size - 1) / size;
}

/// Ends a sweep's part of a fold over `points` points.
template <class Crew, class Fold, int warps, int blocks, int strands>
__device__ inline void leave(const Crew& crew, Partials<Fold, warps, blocks>& partials,
                             Tile<Fold, strands>& tile, int points) {
  const int thread = static_cast<int>(crew.thread());
  const int lane = thread % 32;
  const int present = parts_of(points - (thread - lane) * strands, strands);
  // A warp that is all there, as most are, asks no lane.
  const int own = present > 32 ? strands : points - thread * strands;
  const auto value = combine_own<Fold>(tile.values, own);
  const auto root =
      present >= 32 ? combine_full_warp<Fold>(value) : combine_lanes<Fold, 32>(value, present);
  if (lane == 0) partials.of_warp[threadIdx.x / 32] = root;
  if constexpr (blocks > 1) {
    __syncthreads();
    if (threadIdx.x >= 32) return;
    const int left = points - static_cast<int>(blockIdx.x) * warps * 32 * strands;
    const auto of_block = combine_shared<Fold>(partials.of_warp, parts_of(left, 32 * strands));
    crew.tell(&partials.of_block[blockIdx.x], of_block);
  }
}

/// The fold's result, once all have met behind `leave`.
template <int strands, class Fold, int warps, int blocks>
__device__ inline typename Fold::Result finish(const Partials<Fold, warps, blocks>& partials,
                                               int points) {
  if (points == 0) return Fold::empty();
  if constexpr (blocks == 1) {
    return Fold::result(combine_shared<Fold>(partials.of_warp, parts_of(points, 32 * strands)));
  } else {
    return Fold::result(
        combine_shared<Fold>(partials.of_block, parts_of(points, warps * 32 * strands)));
  }
}

}  // namespace gyre
