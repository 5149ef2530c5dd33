/// Sweeps as loops make them, by each crew that can stay on the device and by kernels of a graph:
/// what a choice between those depends on. Nothing but measuring runs them
/// (src/executors/gpu/measure_sweeps.cpp). Meetings and folds are those of emitted loops.
#pragma once

#include "kernels/chain.cuh"
#include "kernels/cluster.cuh"
#include "kernels/inner_fold.cuh"
#include "kernels/tile.cuh"

namespace gyre {

/// Threads of a block that owns its points, and of one of a grid.
inline constexpr int owner_threads = 512;
inline constexpr int cluster_blocks = 8;

/// Where things lie in the state: a guard that is on, a count of trips, and the partials of a
/// fold, one place after the other.
inline constexpr unsigned sweep_guard = 256;
inline constexpr unsigned sweep_counter = 264;
__device__ inline unsigned sweep_partials(unsigned turn) {
  return turn % 2 == 0 ? 512 : 8960;
}

/// Entries of a row, and points that the rows in shared memory are of.
inline constexpr int row_entries = 5;
inline constexpr int shared_rows = 512;

/// Values that go back and forth between two places: each point takes that of another one.
struct Exchange {
  const double* from;
  double* to;
  const int* places;

  __device__ double take(long long point, double scale) {
    return to[point] = scale * from[places[point]];
  }
  __device__ void turn() {
    double* const next = const_cast<double*>(from);
    from = to;
    to = next;
  }
};

/// What every thread does behind a fold, for itself.
__device__ inline double next_scale(double sum) {
  return 1.0 / (2.0 + sum);
}

/// Trips that do nothing: all meet and decide whether there is another one.
template <class Meeting>
__device__ inline void make_trips(State state, unsigned count) {
  Crew<Meeting> crew(state);
  Entry entry{~0ull};
  unsigned made = 0;
  while (crew.goes_on(entry, made < count, false, sweep_counter, 0)) ++made;
}

/// Sweeps of a crew whose threads own a point each.
template <class Meeting, int blocks, bool folds>
__device__ inline void sweep_as_owners(State state, Exchange values, unsigned count) {
  __shared__ Partials<Sum<double>, owner_threads / 32, blocks> partials[2];
  constexpr int points = blocks * owner_threads;
  Crew<Meeting> crew(state);
  double scale = 0.5;
  for (unsigned i = 0; i < count; ++i) {
    const double value = values.take(crew.thread(), scale);
    if constexpr (folds) {
      Tile<Sum<double>, 1> tile;
      tile.add(0, value, 0);
      leave(crew, partials[i % 2], tile, points);
    }
    crew.meet();
    if constexpr (folds) scale = next_scale(finish<1>(partials[i % 2], points));
    values.turn();
  }
}

/// The same by one block, whose values lie in shared memory.
template <bool folds>
__device__ inline void sweep_in_shared(State state, Exchange values, unsigned count) {
  __shared__ double kept[2][owner_threads];
  __shared__ int places[owner_threads];
  kept[0][threadIdx.x] = values.from[threadIdx.x];
  places[threadIdx.x] = values.places[threadIdx.x] % owner_threads;
  __syncthreads();
  sweep_as_owners<BlockMeeting, 1, folds>(state, {kept[0], kept[1], places}, count);
}

/// Sweeps of a grid whose threads have a point each.
template <bool folds>
__device__ inline void sweep_as_grid(State state, Exchange values, unsigned count) {
  Crew<GridMeeting> crew(state);
  const long long points = static_cast<long long>(gridDim.x) * block_threads;
  double scale = 0.5;
  for (unsigned i = 0; i < count; ++i) {
    const double value = values.take(crew.thread(), scale);
    if constexpr (folds) {
      Strand<Sum<double>> strand;
      strand.add(value, 0);
      leave_partial<0>(state, sweep_partials(i), strand, points);
    }
    crew.meet();
    if constexpr (folds) {
      scale = next_scale(finish<Sum<double>, 0>(state, sweep_partials(i)));
    }
    values.turn();
  }
}

/// MatrixRows as those of a sparse matrix, and the vector that they are multiplied by.
struct MatrixRows {
  const int* begins;
  const int* columns;
  const double* entries;
  const double* from;
  double* to;

  /// The rows of a block's points, of which a thread owns `each` adjacent ones, from row `first`.
  template <int each>
  __device__ void multiply(int first, int present) const {
#pragma unroll
    for (int own = 0; own < each; ++own) {
      const int i = first + (static_cast<int>(threadIdx.x) * each + own) % present;
      to[i] = fold<Sum<double>>(Range{begins[i], begins[i + 1]}).of([&](int k) {
        return entries[k] * from[columns[k]];
      });
    }
    __syncthreads();
  }
};

template <int each>
__device__ inline void multiply_in_shared(MatrixRows rows, unsigned count) {
  __shared__ int begins[shared_rows + 1];
  __shared__ int columns[shared_rows * row_entries];
  __shared__ double entries[shared_rows * row_entries];
  __shared__ double from[shared_rows];
  __shared__ double to[shared_rows];
  for (int i = static_cast<int>(threadIdx.x); i < shared_rows * row_entries; i += owner_threads) {
    columns[i] = rows.columns[i] % shared_rows;
    entries[i] = rows.entries[i];
  }
  begins[threadIdx.x] = rows.begins[threadIdx.x];
  from[threadIdx.x] = rows.from[threadIdx.x];
  if (threadIdx.x == 0) begins[shared_rows] = shared_rows * row_entries;
  __syncthreads();
  for (unsigned i = 0; i < count; ++i) {
    MatrixRows{begins, columns, entries, from, to}.multiply<each>(0, shared_rows);
  }
  rows.to[threadIdx.x] = to[threadIdx.x];
}

/// One part of `all` rows after the other, so that none is still near the multiprocessor.
template <int each>
__device__ inline void multiply_from_cache(const MatrixRows& rows, int all, unsigned count) {
  constexpr int part = owner_threads * each;
  for (unsigned i = 0; i < count; ++i) {
    rows.multiply<each>(static_cast<int>(i) % (all / part) * part, part);
  }
}

}  // namespace gyre

/// Before all others, by a grid with a thread for each of `all` points: values, the places where
/// each takes another's from, and rows of five columns around the diagonal.
extern "C" __global__ void gyre_prepare_sweeps(gyre::State state, double* values, int* places,
                                               int* begins, int* columns, double* entries) {
  const int all = static_cast<int>(gridDim.x * blockDim.x);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i == 0) gyre::set_guard(state, gyre::sweep_guard, true);
  // A launch of number 0 would seem to be cancelled.
  if (i == 0) gyre::control(state).launch = 1;
  values[i] = 1.0 / (1 + i);
  places[i] = i / 32 * 32 + (i + 1) % 32;
  begins[i] = gyre::row_entries * i;
  if (i == 0) begins[all] = gyre::row_entries * all;
  const int neighbours[gyre::row_entries] = {all - 64, all - 1, 0, 1, 64};
  for (int k = 0; k < gyre::row_entries; ++k) {
    columns[gyre::row_entries * i + k] = (i + neighbours[k]) % all;
    entries[gyre::row_entries * i + k] = 0.125;
  }
}

/// `count` trips of a crew.
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_block_trips(gyre::State state, unsigned count) {
  gyre::make_trips<gyre::BlockMeeting>(state, count);
}
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_cluster_trips(gyre::State state, unsigned count) {
#if __CUDA_ARCH__ >= 900
  gyre::make_trips<gyre::ClusterMeeting>(state, count);
#endif
}
extern "C" __global__ void __launch_bounds__(gyre::block_threads)
    gyre_grid_trips(gyre::State state, unsigned count) {
  gyre::make_trips<gyre::GridMeeting>(state, count);
}

/// `count` sweeps of a crew: those that only meet behind each, and those that fold.
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_block_sweeps(gyre::State state, double* from, double* to, const int* places,
                      unsigned count) {
  gyre::sweep_in_shared<false>(state, {from, to, places}, count);
}
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_block_folds(gyre::State state, double* from, double* to, const int* places,
                     unsigned count) {
  gyre::sweep_in_shared<true>(state, {from, to, places}, count);
}
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_cluster_sweeps(gyre::State state, double* from, double* to, const int* places,
                        unsigned count) {
#if __CUDA_ARCH__ >= 900
  gyre::sweep_as_owners<gyre::ClusterMeeting, gyre::cluster_blocks, false>(
      state, {from, to, places}, count);
#endif
}
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_cluster_folds(gyre::State state, double* from, double* to, const int* places,
                       unsigned count) {
#if __CUDA_ARCH__ >= 900
  gyre::sweep_as_owners<gyre::ClusterMeeting, gyre::cluster_blocks, true>(state, {from, to, places},
                                                                          count);
#endif
}
extern "C" __global__ void __launch_bounds__(gyre::block_threads)
    gyre_grid_sweeps(gyre::State state, double* from, double* to, const int* places,
                     unsigned count) {
  gyre::sweep_as_grid<false>(state, {from, to, places}, count);
}
extern "C" __global__ void __launch_bounds__(gyre::block_threads)
    gyre_grid_folds(gyre::State state, double* from, double* to, const int* places,
                    unsigned count) {
  gyre::sweep_as_grid<true>(state, {from, to, places}, count);
}

/// One sweep as a kernel of a graph, under a guard as in an unrolled loop.
extern "C" __global__ void __launch_bounds__(gyre::block_threads)
    gyre_sweep(gyre::State state, double* from, double* to, const int* places) {
  gyre::follow();
  if (!gyre::is_on(state, gyre::sweep_guard)) return;
  gyre::Exchange{from, to, places}.take(gyre::first_point(), 0.5);
  gyre::let_next_start();
}
/// The same, which finishes the fold of the kernel in front of it and leaves another one.
extern "C" __global__ void __launch_bounds__(gyre::block_threads)
    gyre_fold(gyre::State state, double* from, double* to, const int* places, unsigned turn) {
  gyre::follow();
  const auto read = gyre::read_partials<gyre::Sum<double>>(state, gyre::sweep_partials(turn));
  if (!gyre::is_on(state, gyre::sweep_guard)) return;
  const double scale = gyre::next_scale(gyre::finish<gyre::Sum<double>, 0>(read));
  gyre::Strand<gyre::Sum<double>> strand;
  strand.add(gyre::Exchange{from, to, places}.take(gyre::first_point(), scale), 0);
  gyre::let_next_start();
  gyre::leave_partial<0>(state, gyre::sweep_partials(turn + 1), strand,
                         static_cast<long long>(gridDim.x) * gyre::block_threads);
}

/// `count` sweeps of one block over rows, a point a thread and four.
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_shared_rows(const int* begins, const int* columns, const double* entries,
                     const double* from, double* to, unsigned count) {
  gyre::multiply_in_shared<1>({begins, columns, entries, from, to}, count);
}
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_shared_rows_by_four(const int* begins, const int* columns, const double* entries,
                             const double* from, double* to, unsigned count) {
  gyre::multiply_in_shared<4>({begins, columns, entries, from, to}, count);
}
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_cached_rows(const int* begins, const int* columns, const double* entries,
                     const double* from, double* to, int all, unsigned count) {
  gyre::multiply_from_cache<1>({begins, columns, entries, from, to}, all, count);
}
extern "C" __global__ void __launch_bounds__(gyre::owner_threads)
    gyre_cached_rows_by_four(const int* begins, const int* columns, const double* entries,
                             const double* from, double* to, int all, unsigned count) {
  gyre::multiply_from_cache<4>({begins, columns, entries, from, to}, all, count);
}
