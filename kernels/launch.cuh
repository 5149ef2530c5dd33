/// What the first and the last kernel of every launch do: from the host's words into the state, and
/// from the state into the words that the host waits for. Both areas are host memory that the
/// device maps, as many places as launches may wait in a queue.
#pragma once

#include "kernels/chain.cuh"
#include "kernels/decide.cuh"
#include "kernels/state.cuh"
#include "kernels/trace.cuh"

namespace gyre {

/// A launch's place among `places`, `bytes` apart.
__device__ inline char* place_of(char* first, unsigned long long launch, unsigned places,
                                 unsigned bytes) {
  return first + (launch - 1) % places * bytes;
}

/// How what host and device tell each other is laid out: known when a program is emitted, so that
/// neither has to ask the other over the bus.
struct Letters {
  unsigned first_counter;
  unsigned counters;
  const unsigned* input_cells;
  unsigned inputs;
  const unsigned* output_cells;
  unsigned outputs;
  /// Where the trace stands (trace.cuh); 0: there is none.
  unsigned trace;
};

/// From the host's words (the trip limit, then the bits of each input) into the state.
__device__ inline void begin(State state, const Letters& letters, const char* requests,
                             unsigned places, unsigned bytes) {
  follow();
  // Launches come in order, so that the device counts as the host does.
  const unsigned long long launch = control(state).launch + 1;
  const auto* words = reinterpret_cast<const unsigned long long*>(
      place_of(const_cast<char*>(requests), launch, places, bytes));
  __syncthreads();
  if (threadIdx.x == 0) {
    Control& now = control(state);
    // What asks to cancel a launch may come before it begins.
    memset(&now, 0, reinterpret_cast<char*>(now.cancel) - reinterpret_cast<char*>(&now));
    now.max_trips = words[0];
    now.launch = launch;
    begin_trace(state, letters.trace);
  }
  for (unsigned i = threadIdx.x; i < letters.counters; i += blockDim.x) {
    *reinterpret_cast<unsigned long long*>(state + letters.first_counter + 8 * i) = 0;
  }
  for (unsigned i = threadIdx.x; i < letters.inputs; i += blockDim.x) {
    *reinterpret_cast<unsigned long long*>(state + letters.input_cells[i]) = words[1 + i];
  }
}

/// Into the host's words: the head of the state, the counts, the outputs' cells. The number of the
/// launch, in the head, is written last.
__device__ inline void end(State state, const Letters& letters, char* results, unsigned places,
                           unsigned bytes) {
  follow();
  if (threadIdx.x == 0) end_trace(state, letters.trace);
  const unsigned long long launch = control(state).launch;
  auto* result = reinterpret_cast<unsigned long long*>(place_of(results, launch, places, bytes));
  constexpr unsigned head = sizeof(Control) / 8;
  const auto* from = reinterpret_cast<const unsigned long long*>(state);
  for (unsigned i = threadIdx.x; i + 1 < head; i += blockDim.x) result[i] = from[i];
  for (unsigned i = threadIdx.x; i < letters.counters; i += blockDim.x) {
    result[head + i] = from[letters.first_counter / 8 + i];
  }
  for (unsigned i = threadIdx.x; i < letters.outputs; i += blockDim.x) {
    result[head + letters.counters + i] = from[letters.output_cells[i] / 8];
  }
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) {
    *reinterpret_cast<volatile unsigned long long*>(result + head - 1) = launch;
  }
}

}  // namespace gyre
