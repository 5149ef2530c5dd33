/// Shared memory by which the threads of a warp read together what the folds of their points want:
/// a thread that goes through a row of its own by itself reads memory in strides, and where each
/// row is some hundred bytes a multiprocessor spends its time on looking up lines.
///
/// Rows follow each other in memory: that of a point ends where its neighbour's begins. Leaves out
/// which folds these are (gyre/plan/staging.hpp) and when it pays (gyre/plan/teams.hpp).
#pragma once

#include "kernels/async_copy.cuh"
#include "kernels/inner_fold.cuh"

#ifndef GYRE_DYNAMIC_SHARED
/// The shared memory that a launch asks for.
#define GYRE_DYNAMIC_SHARED(name) extern __shared__ __align__(16) char name[]
#endif

namespace gyre {

/// The elements `begin..end` of some buffers that are one point's.
struct Row {
  long long begin;
  long long end;
};

/// The rows of a warp's lanes `from..to`: elements `first..end`. Where they do not fit it is one
/// row, for which there is no room.
struct Rows {
  int from;
  int to;
  bool fit;
  long long first;
  long long end;

  __device__ bool are_of(int lane) const { return from <= lane && lane < to; }
};

/// A buffer's elements of some rows, in shared memory.
template <class T>
struct Staged {
  const T* elements;
  /// The low bits of the first one's index: all that matters for those beside it.
  unsigned first;

  __device__ T operator[](long long k) const { return elements[static_cast<unsigned>(k) - first]; }
};

/// A warp's part of the block's shared memory, with room for `elements` elements of each buffer, an
/// even number; one of each takes `bytes`. All lanes of the warp call everything here together.
class Stage {
 public:
  __device__ Stage(unsigned elements, unsigned bytes)
      : elements_(static_cast<int>(elements)), warp_bytes_(static_cast<int>(elements * bytes)) {}

  /// How many lanes of the warp have a point, if this lane's is `point` of `points`; none or fewer
  /// where not even the first has.
  __device__ static int present(long long point, long long points) {
    const long long left = points - point + lane();
    return left < 32 ? static_cast<int>(left) : 32;
  }

  /// The rows of lane `from` and of as many behind it as there is room for, of `present` lanes.
  __device__ Rows rows(const Row& own, int from, int present) const {
    const long long first = __shfl_sync(0xffffffffu, own.begin, from);
    // Rows that do not follow each other are each by itself.
    const bool fits = own.begin >= first && own.end >= own.begin && own.end - first <= elements_;
    const unsigned ending = ~__ballot_sync(0xffffffffu, fits) >> from;
    int to = ending == 0 ? 32 : from + __ffs(static_cast<int>(ending)) - 1;
    if (to > present) to = present;
    if (to == from) return {from, from + 1, false, first, first};
    return {from, to, true, first, __shfl_sync(0xffffffffu, own.end, to - 1)};
  }

  /// Begins to bring a buffer's elements of the rows, all of which some lane's fold reads. What one
  /// element of each buffer before it takes are `bytes_before`.
  template <class T>
  __device__ Staged<T> bring(const T* buffer, const Rows& rows, int bytes_before) const {
    GYRE_DYNAMIC_SHARED(memory);
    T* to = reinterpret_cast<T*>(memory + static_cast<int>(threadIdx.x / 32) * warp_bytes_ +
                                 elements_ * bytes_before);
    const T* from = buffer + rows.first;
    const int count = static_cast<int>(rows.end - rows.first);
#pragma unroll 4
    for (int k = lane(); k < count; k += 32) begin_copy(to + k, from + k);
    return {to, static_cast<unsigned>(rows.first)};
  }

  /// A fold over each lane's own row, for each of `present` lanes. `bring_term` brings what a term
  /// reads of some rows, and returns the term; `term` reads it where it is.
  template <class Fold, class BringTerm, class Term>
  __device__ typename Fold::Result fold(const Row& own, int present, BringTerm bring_term,
                                        Term term) const {
    typename Fold::Result result = Fold::empty();
    const InnerFold<Fold, 1> all{Range{own.begin, own.end}};
    for (Rows next{0, 0, false, 0, 0}; next.to < present;) {
      next = rows(own, next.to, present);
      if (next.fit) {
        const auto staged_term = bring_term(next);
        wait_for_copies();
        __syncwarp();
        if (next.are_of(lane())) result = all.of_many(staged_term);
      } else if (next.are_of(lane())) {
        result = all.of(term);
      }
      // What comes next takes the place of these rows.
      __syncwarp();
    }
    return result;
  }

 private:
  __device__ static int lane() {
    return static_cast<int>(threadIdx.x % 32);
  }

  int elements_;
  int warp_bytes_;
};

}  // namespace gyre
