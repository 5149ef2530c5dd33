/// Rows of a matrix that each block of a grid keeps in shared memory, from before the first trip of
/// a resident loop on: those of its own points, as many as there is room for.
///
/// Leaves out which rows these are (gyre/plan/kept_rows.hpp).
#pragma once

#include "kernels/chip.cuh"
#include "kernels/stage.cuh"

namespace gyre {

/// What the threads of a block find out together.
struct RowsHead {
  long long first;
  unsigned count;
};

/// The rows of a thread's `points` own points, and where the block's begin.
template <int points>
class OwnRows {
 public:
  /// `rows` are the thread's own, of buffers that have so many `elements`; `head` is used by these
  /// rows alone. Rows are kept that follow the block's first one and end within `room` elements of
  /// its beginning. All threads call it.
  __device__ OwnRows(RowsHead& head, const Row (&rows)[points], long long elements, unsigned room) {
    if (threadIdx.x == 0) head = {rows[0].begin, 0};
    __syncthreads();
    first_ = head.first;
    unsigned most = 0;
#pragma unroll
    for (int own = 0; own < points; ++own) {
      const auto first = static_cast<unsigned long long>(first_);
      const unsigned long long begin = static_cast<unsigned long long>(rows[own].begin) - first;
      const unsigned long long end = static_cast<unsigned long long>(rows[own].end) - first;
      // Bounds of a sweep that never runs may be anything.
      const bool is_there = first_ >= 0 && rows[own].begin >= 0 && rows[own].end <= elements;
      const bool is_kept = is_there && begin <= end && end <= room;
      begins_[own] = is_kept ? static_cast<int>(begin) : -1;
      terms_[own] = is_kept ? static_cast<int>(end - begin) : 0;
      if (is_kept && end > most) most = static_cast<unsigned>(end);
    }
    if (most != 0) atomicMax(&head.count, most);
    __syncthreads();
    count_ = head.count;
  }

  /// The block's part of a buffer, in memory for `room` elements. It is there for a thread that has
  /// met the others of the block since.
  template <class T>
  __device__ Staged<T> keep(Chip& chip, const T* buffer, unsigned room) const {
    T* kept = chip.take<T>(room);
    for (unsigned k = threadIdx.x; k < count_; k += blockDim.x) kept[k] = buffer[first_ + k];
    return {kept, static_cast<unsigned>(first_)};
  }

  __device__ bool has(int own) const {
    return begins_[own] >= 0;
  }
  /// The elements of a row that is kept.
  __device__ Range range(int own) const {
    const long long begin = first_ + begins_[own];
    return {begin, begin + terms_[own]};
  }

 private:
  long long first_;
  unsigned count_;
  int begins_[points];
  int terms_[points];
};

}  // namespace gyre
