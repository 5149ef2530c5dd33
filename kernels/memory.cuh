/// Elements of buffers, and how those are loaded and stored that are narrower in memory than in
/// computations. Leaves out tests of indices (checked.cuh). On the host, where tests run kernels,
/// its compiler has f16.
#pragma once

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
#if defined(__CUDA_ARCH__)
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(at->bits));
  return value;
#elif defined(__FLT16_MAX__)
  return static_cast<float>(__builtin_bit_cast(_Float16, at->bits));
#endif
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
#if defined(__CUDA_ARCH__)
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(at->bits) : "f"(value));
#elif defined(__FLT16_MAX__)
  at->bits = __builtin_bit_cast(unsigned short, static_cast<_Float16>(value));
#endif
}

/// An integer addition whose targets may collide.
__device__ inline void add_to(int* at, int value) {
  atomicAdd(at, value);
}
__device__ inline void add_to(long long* at, long long value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(at), static_cast<unsigned long long>(value));
}

/// The row-major place of an index that is inside.
template <int rank>
__device__ inline long long place(const long long (&extent)[rank], const long long (&index)[rank]) {
  long long place = index[0];
  for (int i = 1; i < rank; ++i) place = place * extent[i] + index[i];
  return place;
}

}  // namespace gyre
