/// How a kernel makes a decision known: to a conditional node by its handle, or to the host.
///
/// One thread of one kernel does it, once on every path. Leaves out deciding (state.cuh).
#pragma once

#include "kernels/state.cuh"

extern "C" __device__ void cudaGraphSetConditional(unsigned long long handle, unsigned value);

namespace gyre {

/// A WHILE node: whether it makes another trip.
__device__ inline void set_loop(unsigned long long handle, bool goes_on) {
  cudaGraphSetConditional(handle, goes_on ? 1 : 0);
}

/// Whether a loop goes on, to the next copy of a trip in its body, or behind the last one
/// (`next_guard` 0) to its node.
__device__ inline void pass_on(State state, unsigned next_guard, unsigned long long handle,
                               bool goes_on) {
  if (next_guard != 0) return set_guard(state, next_guard, goes_on);
  set_loop(handle, goes_on);
}

/// An IF node: arm 0 is the only one that has something to run.
__device__ inline void set_if(unsigned long long handle, unsigned arm) {
  cudaGraphSetConditional(handle, arm == 0 ? 1 : 0);
}

/// A SWITCH node: which arm runs; past the last: none.
__device__ inline void set_switch(unsigned long long handle, unsigned arm) {
  cudaGraphSetConditional(handle, arm);
}

/// One IF node an arm, for drivers without SWITCH: `table` is where their `arms` handles stand.
__device__ inline void set_ifs(unsigned long long table, unsigned arm, unsigned arms) {
  const auto* handles = reinterpret_cast<const unsigned long long*>(table);
  for (unsigned i = 0; i < arms; ++i) {
    // An arm without work has no node and no handle.
    if (handles[i] != 0) cudaGraphSetConditional(handles[i], i == arm ? 1 : 0);
  }
}

/// The host reads the word at `where`: 1 for another trip, or the number of the arm.
__device__ inline void tell_host(unsigned long long where, unsigned decision) {
  *reinterpret_cast<volatile unsigned*>(where) = decision;
}

/// As pass_on, where the host decides behind the last copy.
__device__ inline void pass_on_to_host(State state, unsigned next_guard, unsigned long long where,
                                       bool goes_on) {
  if (next_guard != 0) return set_guard(state, next_guard, goes_on);
  tell_host(where, goes_on ? 1 : 0);
}

}  // namespace gyre
