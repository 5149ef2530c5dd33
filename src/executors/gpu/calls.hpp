/// Running a user's call on a GPU: put on a stream, or recorded into a graph and audited.
#pragma once

#include "device_program.hpp"
#include "gyre/cuda/capture.hpp"

namespace gyre::executors {

/// Puts the call's work on `stream`. UsageError where it has no device form.
void run_call(const DeviceProgram& program, const plan::RunCall& call, cuda::StreamView stream);

/// Runs a call of the host, while `stream` is idle: reads its arguments from the device, and writes
/// them back.
void run_on_host(const DeviceProgram& program, const plan::RunCall& call, cuda::StreamView stream);

/// Records the call's work into `graph` behind `after`; returns what follows depends on. UsageError
/// with one sentence where the recorded work may not stand in a graph; the stream stays usable.
std::vector<cuda::Dependency> record_call(const DeviceProgram& program, const plan::RunCall& call,
                                          const cuda::GraphView& graph,
                                          std::span<const cuda::Dependency> after,
                                          cuda::StreamView stream);

}  // namespace gyre::executors
