/// Buffers that a resident loop of one block keeps in shared memory: brought there before the first
/// trip, and given back behind the last.
#pragma once

#ifndef GYRE_DYNAMIC_SHARED
/// The shared memory that a launch asks for.
#define GYRE_DYNAMIC_SHARED(name) extern __shared__ __align__(16) char name[]
#endif

namespace gyre {

/// Hands out shared memory from its start, as the host counts it (executors/gpu).
class Chip {
 public:
  template <class T>
  __device__ T* take(long long elements) {
    GYRE_DYNAMIC_SHARED(memory);
    T* taken = reinterpret_cast<T*>(memory + used_);
    used_ += (static_cast<unsigned>(elements) * sizeof(T) + 15) / 16 * 16;
    return taken;
  }
  /// Memory that holds what stands at `from`; all threads of the block copy it.
  template <class T>
  __device__ T* keep(const T* from, long long elements) {
    T* kept = take<T>(elements);
    for (long long i = threadIdx.x; i < elements; i += blockDim.x) kept[i] = from[i];
    return kept;
  }

 private:
  unsigned used_ = 0;
};

}  // namespace gyre
