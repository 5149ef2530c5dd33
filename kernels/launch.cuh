/// The first and the last kernel of every launch: from the host's words into the state, and from
/// the state into the words that the host waits for. Both areas are host memory that the device
/// maps.
#pragma once

#include "kernels/chain.cuh"
#include "kernels/decide.cuh"
#include "kernels/state.cuh"

namespace gyre {

/// What the host says. Behind it: `inputs` pairs of a cell's offset and its bits, then `outputs`
/// offsets of cells.
struct Request {
  unsigned long long max_trips;
  unsigned first_counter;
  unsigned counters;
  unsigned inputs;
  unsigned outputs;
};

/// A launch's place among `places`, `bytes` apart.
__device__ inline char* place_of(char* first, unsigned long long launch, unsigned places,
                                 unsigned bytes) {
  return first + (launch - 1) % places * bytes;
}

}  // namespace gyre

extern "C" __global__ void __launch_bounds__(256)
    gyre_begin(gyre::State state, char* requests, unsigned places, unsigned bytes) {
  gyre::follow();
  // Launches come in order, so that the device counts as the host does.
  const unsigned long long launch = gyre::control(state).launch + 1;
  const auto* request =
      reinterpret_cast<const gyre::Request*>(gyre::place_of(requests, launch, places, bytes));
  __syncthreads();
  const auto* words = reinterpret_cast<const unsigned long long*>(request + 1);
  if (threadIdx.x == 0) {
    gyre::Control& now = gyre::control(state);
    // What asks to cancel a launch may come before it begins.
    memset(&now, 0, reinterpret_cast<char*>(now.cancel) - reinterpret_cast<char*>(&now));
    now.max_trips = request->max_trips;
    now.launch = launch;
  }
  for (unsigned i = threadIdx.x; i < request->counters; i += blockDim.x) {
    *reinterpret_cast<unsigned long long*>(state + request->first_counter + 8 * i) = 0;
  }
  for (unsigned i = threadIdx.x; i < request->inputs; i += blockDim.x) {
    *reinterpret_cast<unsigned long long*>(state + words[2 * i]) = words[2 * i + 1];
  }
}

/// `result`: the head of the state, the counts, the outputs' cells. The number of the launch, in
/// the head, is written last.
extern "C" __global__ void __launch_bounds__(256)
    gyre_end(gyre::State state, char* requests, unsigned request_bytes, char* results,
             unsigned result_bytes, unsigned places) {
  gyre::follow();
  const unsigned long long launch = gyre::control(state).launch;
  const auto* request = reinterpret_cast<const gyre::Request*>(
      gyre::place_of(requests, launch, places, request_bytes));
  auto* result =
      reinterpret_cast<unsigned long long*>(gyre::place_of(results, launch, places, result_bytes));
  constexpr unsigned head = sizeof(gyre::Control) / 8;
  const auto* from = reinterpret_cast<const unsigned long long*>(state);
  const auto* outputs =
      reinterpret_cast<const unsigned long long*>(request + 1) + 2 * request->inputs;
  for (unsigned i = threadIdx.x; i + 1 < head; i += blockDim.x) result[i] = from[i];
  for (unsigned i = threadIdx.x; i < request->counters; i += blockDim.x) {
    result[head + i] = from[request->first_counter / 8 + i];
  }
  for (unsigned i = threadIdx.x; i < request->outputs; i += blockDim.x) {
    result[head + request->counters + i] = from[outputs[i] / 8];
  }
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) {
    *reinterpret_cast<volatile unsigned long long*>(result + head - 1) = launch;
  }
}
