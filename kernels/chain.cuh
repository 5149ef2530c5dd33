/// Kernels in a chain, each of which may start before the one before it has ended.
#pragma once

namespace gyre {

/// The first thing that a kernel does on every path: waits for all that the kernel before it
/// stored, where a programmatic edge let it start early.
__device__ inline void follow() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Lets the next kernel start, once all blocks have said so or ended: behind a sweep, where every
/// block has begun its work, so that those which wait take nobody's place. They wait for this
/// kernel, which has waited for the one before it: no more than two kernels of a chain are on the
/// device at once.
__device__ inline void let_next_start() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace gyre
