/// How one index of a sweep ends early: by a fault, or by the limit of a loop of its own.
///
/// Of several faults of a kernel the least is told, in the order of statement, linear index and
/// access, whatever the order in which they are met.
#pragma once

#include "kernels/range.cuh"
#include "kernels/state.cuh"

namespace gyre {

/// The linear index of scalar work, which stands before every index.
inline constexpr long long scalar_work = -1;

/// Where a thread stands in the order of faults, and how it fares.
struct Here {
  State state;
  unsigned kernel;
  unsigned region = 0;
  unsigned statement = 0;
  long long point = scalar_work;
  /// The index has met its fault and does no more.
  bool bad = false;
  /// What is met is not told: the terms of a fold are not run in their order.
  bool quiet = false;
  /// Of a watched sweep: where the promise of its indices stands.
  unsigned promise = 0;
  unsigned promise_region = 0;

  __device__ void watch(unsigned statement, unsigned in_region) {
    promise = statement;
    promise_region = in_region;
  }
  __device__ bool is_watched() const { return promise != 0; }
  __device__ void move_to(unsigned to_statement, unsigned in_region) {
    statement = to_statement;
    region = in_region;
  }
  __device__ void start(long long at_point) {
    point = at_point;
    bad = false;
  }
};

/// The coordinates that a fault tells.
struct FaultIndex {
  long long at[4];
};

/// Whether a fault at that place is told rather than the one that is there, if any.
__device__ inline bool is_least(const volatile Control& seen, const Here& here, unsigned access) {
  if (seen.status == running) return true;
  if (seen.fault_kernel != here.kernel + 1) return false;
  if (seen.fault_statement != here.statement) return here.statement < seen.fault_statement;
  if (seen.fault_point != here.point) return here.point < seen.fault_point;
  return access < seen.fault_access;
}

/// Ends the launch with a fault, or with trip_limit, unless a lesser one of the same kernel is
/// there already. Rare, so that a lock is fine, and that it is a function of its own.
__device__ __noinline__ inline void report(Here here, unsigned status, unsigned fault,
                                           unsigned access, unsigned buffer, FaultIndex index) {
  // All threads do the same scalar work: one of a block speaks.
  if (here.point == scalar_work && threadIdx.x != 0) return;
  Control& now = control(here.state);
  // The lock is taken and given back within one turn, so that no thread waits for another one of
  // its warp.
  for (bool told = false; !told;) {
    if (atomicCAS(&now.fault_lock, 0u, 1u) != 0u) continue;
    __threadfence();
    volatile Control& seen = now;
    if (is_least(seen, here, access)) {
      seen.status = status;
      seen.fault = fault;
      seen.region = here.region;
      seen.fault_kernel = here.kernel + 1;
      seen.fault_statement = here.statement;
      seen.fault_point = here.point;
      seen.fault_access = access;
      seen.fault_buffer = buffer;
      for (int i = 0; i < 4; ++i) seen.fault_index[i] = index.at[i];
    }
    __threadfence();
    atomicExch(&now.fault_lock, 0u);
    told = true;
  }
}

/// The index ends with a fault.
__device__ inline void fail(Here& here, unsigned fault, unsigned access, unsigned buffer,
                            const FaultIndex& index) {
  here.bad = true;
  if (!here.quiet) report(here, faulted, fault, access, buffer, index);
}

/// The index ends the launch: a loop of its own would make more trips than it may.
__device__ inline void end_at_limit(Here& here) {
  here.bad = true;
  report(here, trip_limit, 0, 0, 0, {});
}

/// Whether the scalar work ends here: a step of 0 is a fault.
__device__ inline bool is_zero_step(Here& here, unsigned access, long long step) {
  if (step == 0 && !here.bad) fail(here, zero_step, access, 0, {});
  return here.bad;
}
/// A range whose step is known when it runs.
__device__ inline Range checked_range(Here& here, unsigned access, long long begin, long long end,
                                      long long step) {
  if (step == 0 && !here.bad) fail(here, zero_step, access, 0, {});
  return {begin, end, step};
}

}  // namespace gyre
