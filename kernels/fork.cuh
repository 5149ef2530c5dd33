/// The arms of a fork: each has a head of its own, so that what ends one arm leaves the others
/// alone.
///
/// Leaves out where the heads lie (jit/state_layout).
#pragma once

#include "kernels/state.cuh"

namespace gyre {

/// Before the arms, by one thread: each stands as the launch does here. `distances` are the bytes
/// from this head to those of the arms.
template <int... distances>
__device__ inline void enter_fork(State state) {
  const Control& now = control(state);
  const auto enter = [&](Control& arm) {
    auto* words = reinterpret_cast<unsigned long long*>(&arm);
    const auto end = reinterpret_cast<unsigned long long*>(&arm.max_trips);
    while (words != end) *words++ = 0;
    arm.status = now.status;
    arm.region = now.region;
    arm.max_trips = now.max_trips;
    arm.launch = now.launch;
  };
  (enter(control(state + distances)), ...);
}

/// Behind the arms, by one thread: the launch ends as the first arm that ended it says.
template <int... distances>
__device__ inline void join_fork(State state) {
  Control& now = control(state);
  const auto join = [&](const Control& arm) {
    if (now.status != running || arm.status == running) return;
    now.status = arm.status;
    now.region = arm.region;
    now.label = arm.label;
    now.code = arm.code;
    now.fault = arm.fault;
    now.fault_kernel = arm.fault_kernel;
    now.fault_statement = arm.fault_statement;
    now.fault_access = arm.fault_access;
    now.fault_point = arm.fault_point;
    for (int i = 0; i < 4; ++i) now.fault_index[i] = arm.fault_index[i];
    now.fault_buffer = arm.fault_buffer;
  };
  (join(control(state + distances)), ...);
}

}  // namespace gyre
