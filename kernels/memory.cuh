/// Elements of buffers: what is stored narrower than it is computed with, and checked accesses.
#pragma once

#include "kernels/state.cuh"

namespace gyre {

/// The storage formats of 16 bits, and of a bool: any byte but 0 is true.
struct f16 {
  unsigned short bits;
};
struct bf16 {
  unsigned short bits;
};
struct boolean {
  unsigned char byte;
};

template <class T>
__device__ inline T load(const T* at) {
  return *at;
}
__device__ inline bool load(const boolean* at) {
  return at->byte != 0;
}
__device__ inline float load(const bf16* at) {
  return __uint_as_float(static_cast<unsigned>(at->bits) << 16);
}
__device__ inline float load(const f16* at) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(at->bits));
  return value;
}

template <class T>
__device__ inline void store(T* at, T value) {
  *at = value;
}
__device__ inline void store(boolean* at, bool value) {
  at->byte = value ? 1 : 0;
}
__device__ inline void store(bf16* at, float value) {
  const unsigned bits = __float_as_uint(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) {
    at->bits = static_cast<unsigned short>((bits >> 16) | 0x40u);
  } else {
    at->bits = static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
  }
}
__device__ inline void store(f16* at, float value) {
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(at->bits) : "f"(value));
}

/// An integer addition whose targets may collide.
__device__ inline void add_to(int* at, int value) {
  atomicAdd(at, value);
}
__device__ inline void add_to(long long* at, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}

/// The row-major place of an index of `rank` coordinates, or -1 where it is outside.
template <int rank>
struct Extents {
  long long extent[rank];
};
/// The same where the program has shown that it is inside.
template <int rank>
__device__ inline long long place(const Extents<rank>& extents, const long long (&index)[rank]) {
  long long place = index[0];
  for (int i = 1; i < rank; ++i) place = place * extents.extent[i] + index[i];
  return place;
}
template <int rank>
__device__ inline long long place_in(const Extents<rank>& extents, const long long (&index)[rank]) {
  long long place = 0;
  for (int i = 0; i < rank; ++i) {
    if (index[i] < 0 || index[i] >= extents.extent[i]) return -1;
    place = place * extents.extent[i] + index[i];
  }
  return place;
}

/// An element, or after a fault nothing: `bad` says that the index must stop.
template <class T>
__device__ inline auto load_if(const T* at, long long place, bool& bad) -> decltype(load(at)) {
  if (place >= 0) return load(at + place);
  bad = true;
  return {};
}

/// The place, or a fault and -1.
template <int rank>
__device__ inline long long checked_place(State state, const Here& here, unsigned access,
                                          unsigned buffer, const Extents<rank>& extents,
                                          const long long (&index)[rank]) {
  const long long place = place_in(extents, index);
  if (place < 0) {
    FaultIndex told{};
    for (int i = 0; i < rank; ++i) told.at[i] = index[i];
    report(state, faulted, out_of_bounds, here, access, buffer, told);
  }
  return place;
}

}  // namespace gyre
