/// What the first and the last kernel of every launch do: from the host's words into the state, and
/// from the state into the words that the host waits for. Both areas are host memory that the
/// device maps, as many places as launches may wait in a queue.
#pragma once

#include "kernels/chain.cuh"
#include "kernels/decide.cuh"
#include "kernels/state.cuh"
#include "kernels/trace.cuh"

namespace gyre {

/// A launch's place among `places`, a power of two, `bytes` apart.
__device__ inline char* place_of(char* first, unsigned long long launch, unsigned places,
                                 unsigned bytes) {
  return first + ((launch - 1) & (places - 1)) * bytes;
}

/// How what host and device tell each other is laid out: known when a program is emitted, so that
/// neither has to ask the other over the bus.
struct Letters {
  /// Whether a launch is told anything.
  bool has_request;
  unsigned first_counter;
  unsigned counters;
  const unsigned* input_cells;
  unsigned inputs;
  const unsigned* output_cells;
  unsigned outputs;
  /// Where the trace stands (trace.cuh); 0: there is none.
  unsigned trace;
};

/// From the host's words (the trip limit, then the bits of each input) into the state. By a whole
/// block with a warp for each place, after `follow`; what comes next in its kernel needs a barrier
/// first.
__device__ inline void begin(State state, const Letters& letters, const char* requests,
                             unsigned places, unsigned bytes) {
  // The first words of all places at once: which place is this launch's is known only when the
  // state has been read, and the host's memory is far away.
  const unsigned warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32;
  const bool is_there = letters.has_request && warp < places && lane <= letters.inputs;
  const auto* words = reinterpret_cast<const volatile unsigned long long*>(requests + warp * bytes);
  const unsigned long long word = is_there ? words[lane] : 0;
  const unsigned cell = is_there && lane != 0 ? letters.input_cells[lane - 1] : 0;
  // Launches come in order, so that the device counts as the host does.
  const unsigned long long launch = control(state).launch + 1;
  __syncthreads();
  Control& now = control(state);
  // What asks to cancel a launch may come before it begins.
  const auto head = reinterpret_cast<char*>(&now.max_trips) - state;
  if (threadIdx.x < head / 8) reinterpret_cast<unsigned long long*>(state)[threadIdx.x] = 0;
  if (threadIdx.x == 0) begin_trace(state, letters.trace);
  for (unsigned i = threadIdx.x; i < letters.counters; i += blockDim.x) {
    *reinterpret_cast<unsigned long long*>(state + letters.first_counter + 8 * i) = 0;
  }
  if (warp != ((launch - 1) & (places - 1))) return;
  if (lane == 0) {
    now.max_trips = word;
    now.launch = launch;
  } else if (is_there) {
    *reinterpret_cast<unsigned long long*>(state + cell) = word;
  }
  for (unsigned i = lane + 32; i <= letters.inputs; i += 32) {
    *reinterpret_cast<unsigned long long*>(state + letters.input_cells[i - 1]) = words[i];
  }
}

/// One word of a result, in two halves, each beside the low bits of the launch's number. Eight
/// bytes arrive at once: the host sees of each half whether it is there, in whatever order they
/// come.
__device__ inline void tell(unsigned long long* result, unsigned place, unsigned long long word,
                            unsigned long long launch) {
  volatile unsigned long long* halves = result + 2 * place;
  halves[0] = launch << 32 | (word & 0xffffffffu);
  halves[1] = launch << 32 | word >> 32;
}

/// Into the host's words: the head of the state, the counts, the outputs' cells; the number of the
/// launch, the last word of the head, by the last thread.
__device__ inline void end(State state, const Letters& letters, char* results, unsigned places,
                           unsigned bytes) {
  // No kernel changes where the cells are: that is read while the one before still runs.
  const unsigned cell = threadIdx.x < letters.outputs ? letters.output_cells[threadIdx.x] : 0;
  follow();
  const unsigned long long launch = control(state).launch;
  auto* result = reinterpret_cast<unsigned long long*>(place_of(results, launch, places, bytes));
  constexpr unsigned head = sizeof(Control) / 8;
  const auto* from = reinterpret_cast<const unsigned long long*>(state);
  for (unsigned i = threadIdx.x; i + 1 < head; i += blockDim.x) tell(result, i, from[i], launch);
  for (unsigned i = threadIdx.x; i < letters.counters; i += blockDim.x) {
    tell(result, head + i, from[letters.first_counter / 8 + i], launch);
  }
  for (unsigned i = threadIdx.x; i < letters.outputs; i += blockDim.x) {
    tell(result, head + letters.counters + i,
         from[(i < blockDim.x ? cell : letters.output_cells[i]) / 8], launch);
  }
  if (threadIdx.x + 1 < blockDim.x) return;
  end_trace(state, letters.trace);
  // The trace is there before the last word is, and what earlier kernels wrote to the host's
  // memory.
  __threadfence_system();
  tell(result, head - 1, launch, launch);
}

}  // namespace gyre
