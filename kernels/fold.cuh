/// Folds on the device, in the strand shape of gyre/ir/strands.hpp: the same bits for every grid.
///
/// A sweep's thread owns one strand; a block combines its aligned power of two of them into a
/// partial; the kernel that consumes the fold combines the partials again, each of its blocks for
/// itself. Leaves out folds within one index (inner_fold.cuh).
#pragma once

#include "gyre/ir/strands.hpp"
#include "kernels/state.cuh"

namespace gyre {

/// Threads of every block that folds; as many strands make one partial.
inline constexpr unsigned block_threads = 256;

/// Each fold says what it makes of a term, of two values, of the last value, and of no terms. Those
/// that have a neutral value, which changes no value that it is combined with, start from it.
template <class T>
struct Sum {
  using Term = T;
  using Value = T;
  using Result = T;
  __device__ static Value first(Term term, long long) { return term; }
  __device__ static Value combine(Value a, Value b) { return ops::add(a, b); }
  __device__ static Result result(Value value) { return value; }
  /// Minus zero: plus zero would make +0 of -0.
  __device__ static Value neutral() { return -T{0}; }
  __device__ static Result empty() { return T{0}; }
};

template <class T>
struct Prod {
  using Term = T;
  using Value = T;
  using Result = T;
  __device__ static Value first(Term term, long long) { return term; }
  __device__ static Value combine(Value a, Value b) { return ops::mul(a, b); }
  __device__ static Result result(Value value) { return value; }
  __device__ static Value neutral() { return T{1}; }
  __device__ static Result empty() { return T{1}; }
};

template <class T>
__device__ inline T not_a_number() {
  return static_cast<T>(__int_as_float(0x7fffffff));
}

/// The greatest value of a type: an integer's limit, a float's infinity.
template <class T>
__device__ inline T greatest() {
  if constexpr (ops::is_float<T>) {
    return static_cast<T>(__int_as_float(0x7f800000));
  } else {
    return static_cast<T>(~static_cast<ops::wrapping_t<T>>(ops::least_integer<T>));
  }
}
template <class T>
__device__ inline T least() {
  if constexpr (ops::is_float<T>) {
    return -greatest<T>();
  } else {
    return ops::least_integer<T>;
  }
}

template <class T>
struct Min {
  using Term = T;
  using Value = T;
  using Result = T;
  __device__ static Value first(Term term, long long) { return term; }
  __device__ static Value combine(Value a, Value b) { return ops::min(a, b); }
  __device__ static Result result(Value value) { return value; }
  __device__ static Value neutral() { return greatest<T>(); }
  __device__ static Result empty() { return greatest<T>(); }
};

template <class T>
struct Max {
  using Term = T;
  using Value = T;
  using Result = T;
  __device__ static Value first(Term term, long long) { return term; }
  __device__ static Value combine(Value a, Value b) { return ops::max(a, b); }
  __device__ static Result result(Value value) { return value; }
  __device__ static Value neutral() { return least<T>(); }
  __device__ static Result empty() { return least<T>(); }
};

template <class T>
struct Any {
  using Term = bool;
  using Value = bool;
  using Result = bool;
  __device__ static Value first(Term term, long long) { return term; }
  __device__ static Value combine(Value a, Value b) { return a || b; }
  __device__ static Result result(Value value) { return value; }
  __device__ static Value neutral() { return false; }
  __device__ static Result empty() { return false; }
};

template <class T>
struct All {
  using Term = bool;
  using Value = bool;
  using Result = bool;
  __device__ static Value first(Term term, long long) { return term; }
  __device__ static Value combine(Value a, Value b) { return a && b; }
  __device__ static Result result(Value value) { return value; }
  __device__ static Value neutral() { return true; }
  __device__ static Result empty() { return true; }
};

template <class T>
struct Count {
  using Term = bool;
  using Value = long long;
  using Result = long long;
  __device__ static Value first(Term term, long long) { return term ? 1 : 0; }
  __device__ static Value combine(Value a, Value b) { return a + b; }
  __device__ static Result result(Value value) { return value; }
  __device__ static Value neutral() { return 0; }
  __device__ static Result empty() { return 0; }
};

template <class T>
struct Argmin {
  using Term = T;
  using Value = ops::Located<T>;
  using Result = long long;
  __device__ static Value first(Term term, long long index) { return {term, index}; }
  __device__ static Value combine(Value a, Value b) { return ops::argmin(a, b); }
  __device__ static Result result(Value value) { return value.index; }
  __device__ static Result empty() { return -1; }
};

template <class T>
struct Argmax {
  using Term = T;
  using Value = ops::Located<T>;
  using Result = long long;
  __device__ static Value first(Term term, long long index) { return {term, index}; }
  __device__ static Value combine(Value a, Value b) { return ops::argmax(a, b); }
  __device__ static Result result(Value value) { return value.index; }
  __device__ static Result empty() { return -1; }
};

/// The points of a sweep that a thread runs are those of one strand: its first point, and the
/// distance to the next. Where there are fewer points than strands at most, a thread has one.
__device__ inline long long first_point(unsigned block) {
  return static_cast<long long>(block) * block_threads + threadIdx.x;
}
__device__ inline long long first_point() {
  return first_point(blockIdx.x);
}
inline constexpr long long next_point = strands::max_outer;

/// The blocks that the strands of `points` points fill, and at least one.
__device__ inline unsigned strand_blocks(long long points) {
  const long long strands = points < strands::max_outer ? points : strands::max_outer;
  return strands == 0 ? 1 : static_cast<unsigned>((strands + block_threads - 1) / block_threads);
}

template <class Fold>
concept HasNeutral = requires {
  Fold::neutral();
};

/// One strand under way.
template <class Fold>
struct Strand {
  typename Fold::Value value{};
  bool started = false;

  __device__ void add(typename Fold::Value next) {
    value = started ? Fold::combine(value, next) : next;
    started = true;
  }
  __device__ void add(typename Fold::Term term, long long index) { add(Fold::first(term, index)); }
};
/// Without asking at each term whether it is the first.
template <HasNeutral Fold>
struct Strand<Fold> {
  typename Fold::Value value = Fold::neutral();

  __device__ void add(typename Fold::Value next) { value = Fold::combine(value, next); }
  __device__ void add(typename Fold::Term term, long long index) { add(Fold::first(term, index)); }
};

template <class T>
__device__ inline T shuffle_down(T value, unsigned distance) {
  return __shfl_down_sync(0xffffffffu, value, distance);
}
__device__ inline bool shuffle_down(bool value, unsigned distance) {
  return __shfl_down_sync(0xffffffffu, value ? 1 : 0, distance) != 0;
}
template <class T>
__device__ inline ops::Located<T> shuffle_down(ops::Located<T> value, unsigned distance) {
  return {shuffle_down(value.value, distance), shuffle_down(value.index, distance)};
}

template <class T>
__device__ inline T from_first_lane(T value) {
  return __shfl_sync(0xffffffffu, value, 0);
}
__device__ inline bool from_first_lane(bool value) {
  return __shfl_sync(0xffffffffu, value ? 1 : 0, 0) != 0;
}
template <class T>
__device__ inline ops::Located<T> from_first_lane(ops::Located<T> value) {
  return {from_first_lane(value.value), from_first_lane(value.index)};
}

/// The adjacent-pair tree over the first `present` of a warp's first `lanes` lanes; lane 0 has the
/// root. All lanes of the warp call it.
template <class Fold, int lanes>
__device__ inline typename Fold::Value combine_lanes(typename Fold::Value value, int present) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  // A lane whose number is no multiple of 2 * distance makes something that nobody takes.
  for (int distance = 1; distance < lanes; distance *= 2) {
    const auto other = shuffle_down(value, static_cast<unsigned>(distance));
    if (lane + distance < present) value = Fold::combine(value, other);
  }
  return value;
}

/// The same over all lanes of a warp. Lanes past the last pair make something that nobody takes.
template <class Fold>
__device__ inline typename Fold::Value combine_full_warp(typename Fold::Value value) {
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    value = Fold::combine(value, shuffle_down(value, distance));
  }
  return value;
}

/// The adjacent-pair tree over the first `present` threads of the block; lane 0 of every warp has
/// the root. `slots` is shared memory for one value a warp, used by this call alone. All threads of
/// the block call it, and meet at its one barrier.
template <class Fold>
__device__ inline typename Fold::Value combine_block(typename Fold::Value value, int present,
                                                     typename Fold::Value* slots) {
  constexpr int warps = block_threads / 32;
  const int warp = static_cast<int>(threadIdx.x / 32);
  value = combine_lanes<Fold, 32>(value, present - 32 * warp);
  if (threadIdx.x % 32 == 0) slots[warp] = value;
  __syncthreads();
  return combine_lanes<Fold, warps>(slots[threadIdx.x % warps], (present + 31) / 32);
}

/// What a fold leaves in the state: how many partials, and behind that they themselves.
struct PartialsHead {
  long long count;
  long long unused;
};
/// As many partials as a thread reads at once.
template <class Value>
struct alignas(sizeof(Value) < 4 ? 4 * sizeof(Value) : 16) FourPartials {
  Value values[4];
};
template <class Value>
__device__ inline Value* partials(State state, unsigned offset) {
  return reinterpret_cast<Value*>(state + offset + sizeof(PartialsHead));
}

/// Ends a sweep's part of a fold over `points` points: the block's strands become one partial.
/// `site` is another number for each fold of a kernel. `block` is the number of the block that
/// these strands belong to.
template <int site, class Fold>
__device__ inline void leave_partial(State state, unsigned offset, const Strand<Fold>& strand,
                                     long long points, unsigned block) {
  __shared__ typename Fold::Value slots[block_threads / 32];
  const long long strands = points < strands::max_outer ? points : strands::max_outer;
  const long long left = strands - static_cast<long long>(block) * block_threads;
  const int present = left < block_threads ? static_cast<int>(left) : block_threads;
  const auto root = combine_block<Fold>(strand.value, present, slots);
  if (threadIdx.x != 0) return;
  if (block == 0) {
    reinterpret_cast<PartialsHead*>(state + offset)->count =
        (strands + block_threads - 1) / block_threads;
  }
  if (present > 0) partials<typename Fold::Value>(state, offset)[block] = root;
}
template <int site, class Fold>
__device__ inline void leave_partial(State state, unsigned offset, const Strand<Fold>& strand,
                                     long long points) {
  leave_partial<site>(state, offset, strand, points, blockIdx.x);
}

/// A thread's share of the partials that a sweep left: at most 2^18 strands, so at most 1024
/// partials, four adjacent ones a thread.
template <class Fold>
struct ReadPartials {
  FourPartials<typename Fold::Value> four;
  int count;
};

/// Reads them, before it is known how many there are, since both take their time.
template <class Fold>
__device__ inline ReadPartials<Fold> read_partials(State state, unsigned offset) {
  using Value = typename Fold::Value;
  return {reinterpret_cast<const FourPartials<Value>*>(partials<Value>(state, offset))[threadIdx.x],
          static_cast<int>(reinterpret_cast<const PartialsHead*>(state + offset)->count)};
}

/// The fold whose partials were read; every thread of the block has the result. `site` is another
/// number for each fold of a kernel.
template <class Fold, int site>
__device__ inline typename Fold::Result finish(const ReadPartials<Fold>& read) {
  using Value = typename Fold::Value;
  __shared__ Value slots[block_threads / 32];
  const Value* values = read.four.values;
  const int left = read.count - 4 * static_cast<int>(threadIdx.x);
  Value value = values[0];
  if (left > 1) value = Fold::combine(value, values[1]);
  if (left > 2) {
    value = Fold::combine(value, left > 3 ? Fold::combine(values[2], values[3]) : values[2]);
  }
  const auto root = combine_block<Fold>(value, (read.count + 3) / 4, slots);
  const Value everywhere = from_first_lane(root);
  return read.count == 0 ? Fold::empty() : Fold::result(everywhere);
}

/// The same, reading them first.
template <class Fold, int site>
__device__ inline typename Fold::Result finish(State state, unsigned offset) {
  return finish<Fold, site>(read_partials<Fold>(state, offset));
}

}  // namespace gyre
