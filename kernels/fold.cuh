/// Folds on the device, in the strand shape of gyre/ir/strands.hpp: the same bits for every grid.
///
/// A sweep's thread owns strands; a block combines its aligned power of two of them into a partial;
/// the kernel that consumes the fold combines the partials again, each of its blocks for itself.
#pragma once

#include "gyre/ir/strands.hpp"
#include "kernels/state.cuh"

namespace gyre {

/// Threads of every block that folds; as many strands make one partial.
inline constexpr unsigned block_threads = 256;

template <class T>
struct Sum {
  using Term = T;
  using Value = T;
  using Result = T;
  __device__ static Value first(Term term, long long) { return term; }
  __device__ static Value combine(Value a, Value b) { return ops::add(a, b); }
  __device__ static Result result(Value value) { return value; }
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

/// One strand under way.
template <class Fold>
struct Strand {
  typename Fold::Value value;
  bool started = false;

  __device__ void add(typename Fold::Term term, long long index) {
    const auto next = Fold::first(term, index);
    value = started ? Fold::combine(value, next) : next;
    started = true;
  }
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

/// A barrier of the block. A warp whose threads have taken different ways joins up first: the
/// instruction asks for that, and the compiler does not promise it.
__device__ inline void sync_block() {
  __syncwarp();
  __syncthreads();
}

/// The adjacent-pair tree over the first `present` threads of the block; thread 0 has the root.
/// `slots` is shared memory for one value a warp. All threads of the block call it.
template <class Fold>
__device__ inline typename Fold::Value combine_block(typename Fold::Value value, unsigned present,
                                                     typename Fold::Value* slots) {
  __syncwarp();
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const auto other = shuffle_down(value, distance);
    const bool pairs = threadIdx.x % (2 * distance) == 0 && threadIdx.x + distance < present;
    if (pairs) value = Fold::combine(value, other);
  }
  sync_block();
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = value;
  sync_block();
  if (threadIdx.x == 0) {
    const unsigned warps = (present + 31) / 32;
    if (warps > 1) value = strands::combine_tree(slots, warps, Fold::combine);
  }
  return value;
}

/// What a fold leaves in the state: how many partials, and they themselves, 16 bytes each.
struct PartialsHead {
  long long count;
  long long unused;
};
template <class Value>
__device__ inline Value& partial_at(State state, unsigned offset, long long number) {
  return *reinterpret_cast<Value*>(state + offset + sizeof(PartialsHead) + 16 * number);
}

/// Ends a sweep's part of a fold over `points` points: the block's strands become one partial.
template <class Fold>
__device__ inline void leave_partial(State state, unsigned offset, const Strand<Fold>& strand,
                                     long long points) {
  __shared__ typename Fold::Value slots[block_threads / 32];
  const long long all = strands::outer(points);
  const long long present_strands = points < all ? points : all;
  const long long before = static_cast<long long>(blockIdx.x) * block_threads;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    reinterpret_cast<PartialsHead*>(state + offset)->count =
        (present_strands + block_threads - 1) / block_threads;
  }
  if (before >= present_strands) return;
  const long long left = present_strands - before;
  const unsigned present = left < block_threads ? static_cast<unsigned>(left) : block_threads;
  const auto value = combine_block<Fold>(strand.value, present, slots);
  if (threadIdx.x == 0) partial_at<typename Fold::Value>(state, offset, blockIdx.x) = value;
}

/// The fold whose partials an earlier kernel left; every thread of the block has the result.
template <class Fold>
__device__ inline typename Fold::Result finish(State state, unsigned offset) {
  using Value = typename Fold::Value;
  __shared__ Value slots[block_threads / 32];
  __shared__ Value root;
  const long long count = reinterpret_cast<const PartialsHead*>(state + offset)->count;
  if (count == 0) return Fold::empty();
  // At most 2^18 strands, so at most 1024 partials: four adjacent ones a thread.
  const long long mine = 4LL * threadIdx.x;
  Value values[4];
  const long long left = count - mine;
  for (int i = 0; i < 4; ++i) {
    if (i < left) values[i] = partial_at<Value>(state, offset, mine + i);
  }
  if (left > 1) values[0] = Fold::combine(values[0], values[1]);
  if (left > 2) {
    if (left > 3) values[2] = Fold::combine(values[2], values[3]);
    values[0] = Fold::combine(values[0], values[2]);
  }
  const auto value =
      combine_block<Fold>(values[0], static_cast<unsigned>((count + 3) / 4), slots);
  if (threadIdx.x == 0) root = value;
  sync_block();
  const Value everywhere = root;
  sync_block();
  return Fold::result(everywhere);
}

/// A fold within one index: `term(t)` for t in 0..m, on one thread. `index(t)` is where term t
/// stands.
template <class Fold, class Term, class Index>
__device__ inline typename Fold::Result fold_inner(long long m, Term term, Index index) {
  using Value = typename Fold::Value;
  if (m <= 0) return Fold::empty();
  const long long w = strands::inner(m);
  // Finished strands wait for their neighbours: the binary digits of s say which ones do.
  Value waiting[9];
  for (long long s = 0;; ++s) {
    Value value = Fold::first(term(s), index(s));
    for (long long t = s + w; t < m; t += w) {
      value = Fold::combine(value, Fold::first(term(t), index(t)));
    }
    int level = 0;
    for (long long bits = s; (bits & 1) != 0; bits >>= 1) {
      value = Fold::combine(waiting[level++], value);
    }
    if (s + 1 == w) return Fold::result(value);
    waiting[level] = value;
  }
}

}  // namespace gyre
