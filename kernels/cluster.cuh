/// A cluster of blocks that run a resident loop together: where they meet, and shared memory of one
/// block that another one writes to.
///
/// One cluster is the whole launch. Needs sm_90.
#pragma once

#include "kernels/crew.cuh"

namespace gyre {

/// Where `block` has what stands at `own` in this one's shared memory.
template <class T>
__device__ inline T* in_block(T* own, unsigned block) {
  unsigned long long address;
  asm("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(own), "r"(block));
  return reinterpret_cast<T*>(address);
}

class ClusterMeeting {
 public:
  __device__ explicit ClusterMeeting(State) {
    if (threadIdx.x < 2) told()[threadIdx.x] = 0;
    // Nobody may be told something before.
    meet();
  }
  __device__ static unsigned thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

  __device__ void meet() {
    // One thread's fence stands for all that its block wrote: each takes its time.
    __syncthreads();
    if (threadIdx.x == 0) __threadfence();
    asm volatile(
        "barrier.cluster.arrive.relaxed;\n"
        "barrier.cluster.wait.acquire;" ::
            : "memory");
  }
  __device__ bool meet_any(bool says) {
    return meet_told(__syncthreads_or(says) != 0 && threadIdx.x == 0);
  }
  /// Each block's first thread alone has a say.
  __device__ bool meet_told(bool says) {
    // Of two votes in a row each has a word of its own: who hears of one may speak in the next one
    // before another has read. Whatever was told ends the launch, so that no word is cleared.
    unsigned* word = told() + (votes_++ & 1u);
    for (unsigned block = 0; says && block < gridDim.x; ++block) *in_block(word, block) = 1;
    meet();
    return *const_cast<volatile unsigned*>(word) != 0;
  }
  /// By a block's first warp, whose lanes all have `value`: stores it where every block reads it.
  template <class Value>
  __device__ static void tell(Value* at, Value value) {
    if (threadIdx.x < gridDim.x) *in_block(at, threadIdx.x) = value;
  }

 private:
  __device__ static unsigned* told() {
    __shared__ unsigned words[2];
    return words;
  }
  unsigned votes_ = 0;
};

}  // namespace gyre
