/// Copies to shared memory that nobody waits for until they are needed.
#pragma once

namespace gyre {

/// Begins to copy one element to shared memory; it is there after `wait_for_copies`.
template <class T>
__device__ inline void begin_copy(T* shared, const T* from) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(shared));
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(sizeof(T))
               : "memory");
#else
  *shared = *from;
#endif
}

/// Waits for those that this thread has begun.
__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace gyre
