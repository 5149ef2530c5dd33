/// Kernels in a chain, each of which may start before the one before it has ended.
#pragma once

namespace gyre {

/// The first thing that a kernel does on every path: waits for all that the kernel before it
/// stored, where a programmatic edge let it start early, and lets the next one start. That one then
/// waits in its turn, so that at most two kernels of a chain are on the device at once.
__device__ inline void follow() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

}  // namespace gyre
