/// The first and the last kernel of every launch: from the host's words into the state, and from
/// the state into the words that the host waits for. Both areas are host memory that the device
/// maps.
#pragma once

#include "kernels/state.cuh"

namespace gyre {

/// What the host says. Behind it: `inputs` pairs of a cell's offset and its bits, then `outputs`
/// offsets of cells.
struct Request {
  unsigned long long launch;
  unsigned long long max_trips;
  unsigned first_counter;
  unsigned counters;
  unsigned inputs;
  unsigned outputs;
};

}  // namespace gyre

extern "C" __global__ void __launch_bounds__(256)
    gyre_begin(gyre::State state, const gyre::Request* request) {
  const auto* words = reinterpret_cast<const unsigned long long*>(request + 1);
  if (threadIdx.x == 0) {
    gyre::Control& now = gyre::control(state);
    const unsigned cancel = now.cancel;
    now = gyre::Control{};
    now.cancel = cancel;
    now.max_trips = request->max_trips;
    now.launch = request->launch;
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
    gyre_end(gyre::State state, const gyre::Request* request, unsigned long long* result) {
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
    *reinterpret_cast<volatile unsigned long long*>(result + head - 1) =
        gyre::control(state).launch;
  }
}
