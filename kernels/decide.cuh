/// How a kernel makes a decision known: to conditional nodes, or to the host.
///
/// GYRE_HOST_BRANCH: `where` is the address of a word that the host reads. GYRE_IF_NODES_ONLY
/// (drivers without SWITCH): the address of one handle an arm. Else: a conditional node's handle.
#pragma once

#ifndef GYRE_HOST_BRANCH
extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);
#endif

namespace gyre {

/// Whether a loop makes another trip.
__device__ inline void decide_trip(unsigned long long where, bool goes_on) {
#ifdef GYRE_HOST_BRANCH
  *reinterpret_cast<volatile unsigned*>(where) = goes_on ? 1 : 0;
#else
  cudaGraphSetConditional(where, goes_on ? 1 : 0);
#endif
}

/// Whether arm 0 runs, the only one that has something to run.
__device__ inline void decide_if(unsigned long long where, unsigned arm) {
#ifdef GYRE_HOST_BRANCH
  *reinterpret_cast<volatile unsigned*>(where) = arm;
#else
  cudaGraphSetConditional(where, arm == 0 ? 1 : 0);
#endif
}

/// Which of `arms` arms runs; `arms`: none.
__device__ inline void decide_arm(unsigned long long where, unsigned arm, unsigned arms) {
#if defined(GYRE_HOST_BRANCH)
  *reinterpret_cast<volatile unsigned*>(where) = arm;
#elif defined(GYRE_IF_NODES_ONLY)
  const auto* handles = reinterpret_cast<const unsigned long long*>(where);
  for (unsigned i = 0; i < arms; ++i) {
    // An arm without work has no node and no handle.
    if (handles[i] != 0) cudaGraphSetConditional(handles[i], i == arm ? 1 : 0);
  }
#else
  cudaGraphSetConditional(where, arm);
#endif
}

}  // namespace gyre
