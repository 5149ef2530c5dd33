/// Sweeps whose indices, by promise, do not meet: no two store to one element, and none reads what
/// another stores. Checked mode watches them.
///
/// Each watched buffer has a shadow with two words an element: which index stored there, and which
/// ones read. An access writes its own word, then looks at the other one. Of two indices that meet,
/// each does so, and between its two steps stands a fence: whichever is second to write sees what
/// the first wrote. So a meeting is always seen, by one of the two at least, in every order of the
/// threads; and since words hold the exact index and the sweep that it belongs to, nothing else is.
///
/// That a promise is broken does not depend on the order of the threads either, though the values
/// do that indices read then. Take two orders, and suppose that nobody meets in the first. An index
/// that accesses other elements in the second has read another value first. The earliest such read
/// of all finds what an index stored that had gone the same way so far: those two meet in the first
/// order, too. For this an index must make the accesses that it makes alone, in their order, and
/// none behind its own fault.
#pragma once

#include "kernels/checked.cuh"

namespace gyre {

/// The indices that met at an element in one sweep, with the sweep's tag in the upper 16 bits.
struct Seen {
  unsigned long long writer;
  unsigned long long reader;
};
/// What the host allocates for a buffer and zeroes once: this, and a Seen for each element.
struct Shadow {
  /// Sweeps so far; their numbers go round.
  unsigned sweeps;
  /// Blocks of this sweep that have ended.
  unsigned ended;
  unsigned long long unused;
};
inline constexpr unsigned sweep_tags = 65535;
inline constexpr unsigned long long index_bits = (1ULL << 48) - 1;
inline constexpr unsigned long long several_indices = index_bits;

/// A checked buffer that a watched sweep stores to.
template <class T, int rank>
struct Watched : Checked<T, rank> {
  Shadow* shadow;

  __device__ auto load(Here& here, unsigned access, const long long (&index)[rank]) const
      -> decltype(gyre::load(this->data)) {
    const long long at = this->place(here, access, index);
    if (at < 0 || (is_watched(here) && load_breaks(here, at) && tell(here, index))) return {};
    return gyre::load(this->data + at);
  }
  template <class Value>
  __device__ void store(Here& here, unsigned access, const long long (&index)[rank],
                        Value value) const {
    if (here.bad) return;
    const long long at = this->place(here, access, index);
    if (at < 0 || (is_watched(here) && store_breaks(here, at) && tell(here, index))) return;
    gyre::store(this->data + at, value);
  }

  /// After the sweep, by all threads: what they saw is forgotten.
  __device__ void end_sweep() const {
    __shared__ bool is_last;
    // All have read which sweep this is.
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      is_last = atomicAdd(&shadow->ended, 1u) + 1 == gridDim.x;
    }
    __syncthreads();
    if (!is_last) return;
    const unsigned next = (shadow->sweeps + 1) % sweep_tags;
    long long elements = 1;
    for (int i = 0; i < rank; ++i) elements *= this->extent[i];
    __syncthreads();
    // Where the tags start anew, no element may have one of the round before.
    for (long long i = threadIdx.x; next == 0 && i < elements; i += blockDim.x) seen()[i] = {};
    if (threadIdx.x == 0) {
      shadow->sweeps = next;
      shadow->ended = 0;
    }
  }

 private:
  __device__ Seen* seen() const { return reinterpret_cast<Seen*>(shadow + 1); }
  /// Scalar work is no index, and the terms of a fold are watched in their order alone.
  __device__ static bool is_watched(const Here& here) {
    return !here.bad && !here.quiet && here.point != scalar_work;
  }
  /// Zeroed memory has the tag of no sweep.
  __device__ unsigned long long tag() const {
    return static_cast<unsigned long long>(shadow->sweeps + 1) << 48;
  }
  /// Whether a word tells of this sweep and of someone else than the index of `mine`.
  __device__ static bool is_other(unsigned long long word, unsigned long long mine) {
    return (word & ~index_bits) == (mine & ~index_bits) && word != mine;
  }

  __device__ bool load_breaks(const Here& here, long long at) const {
    const unsigned long long mine = tag() | static_cast<unsigned long long>(here.point);
    const unsigned long long all = mine | several_indices;
    Seen& words = seen()[at];
    unsigned long long before = *const_cast<volatile unsigned long long*>(&words.reader);
    while (before != mine && before != all) {
      const unsigned long long after = is_other(before, mine) ? all : mine;
      const unsigned long long found = atomicCAS(&words.reader, before, after);
      if (found == before) break;
      before = found;
    }
    __threadfence();
    return is_other(*const_cast<volatile unsigned long long*>(&words.writer), mine);
  }
  __device__ bool store_breaks(const Here& here, long long at) const {
    const unsigned long long mine = tag() | static_cast<unsigned long long>(here.point);
    Seen& words = seen()[at];
    const unsigned long long writer = atomicExch(&words.writer, mine);
    __threadfence();
    return is_other(writer, mine) ||
           is_other(*const_cast<volatile unsigned long long*>(&words.reader), mine);
  }

  /// The promise is the foreach's: its fault comes before all of its indices.
  __device__ bool tell(Here& here, const long long (&index)[rank]) const {
    Here promise = here;
    promise.move_to(here.promise, here.promise_region);
    FaultIndex told{};
    for (int i = 0; i < rank; ++i) told.at[i] = index[i];
    fail(promise, broken_promise, 0, this->number, told);
    here.bad = true;
    return true;
  }
};

}  // namespace gyre
