/// When each trip of a traced run began: a log behind the rest of the state, for the host to read
/// when the run is over.
#pragma once

#include "kernels/state.cuh"

namespace gyre {

/// Times are nanoseconds of the device's clock.
struct TraceHead {
  unsigned long long begun;
  unsigned long long ended;
  /// Trips so far; those past `trace_capacity` are counted and not kept.
  unsigned long long trips;
  unsigned long long unused;
};
struct TracedTrip {
  unsigned long long at;
  /// Its number over all entries of its loop, from 0.
  unsigned long long trip;
  unsigned long long region;
};
inline constexpr unsigned long long trace_capacity = 1ULL << 20;

__device__ inline unsigned long long nanoseconds() {
#if defined(__CUDA_ARCH__)
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
#else
  // Kernels run on the host in tests alone: there every look takes a nanosecond.
  static unsigned long long now = 0;
  return ++now;
#endif
}

__device__ inline TraceHead& trace_head(State state, unsigned trace) {
  return *reinterpret_cast<TraceHead*>(state + trace);
}

/// One thread each, at the ends of a run; nothing is traced at offset 0.
__device__ inline void begin_trace(State state, unsigned trace) {
  if (trace != 0) trace_head(state, trace) = {nanoseconds(), 0, 0, 0};
}
__device__ inline void end_trace(State state, unsigned trace) {
  if (trace != 0) trace_head(state, trace).ended = nanoseconds();
}

/// By the thread that has decided that a loop makes another trip and counted it at `counter`. Arms
/// of a fork may do so at once.
__device__ inline void trace_trip(State state, unsigned trace, unsigned counter, unsigned region) {
  if (counter == 0) return;
  TraceHead& head = trace_head(state, trace);
  const unsigned long long place = atomicAdd(&head.trips, 1ULL);
  if (place >= trace_capacity) return;
  const auto& trips = *reinterpret_cast<volatile unsigned long long*>(state + counter);
  reinterpret_cast<TracedTrip*>(&head + 1)[place] = {nanoseconds(), trips - 1, region};
}

}  // namespace gyre
