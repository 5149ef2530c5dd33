/// Running a user's call on a GPU: put on a stream, recorded into a graph and audited, or made by
/// the host between graphs. A call is a step whose node is a RunCall, with the guard it is given.
#pragma once

#include "device_program.hpp"
#include "gyre/cuda/graph.hpp"
#include "gyre/executors/refused_call.hpp"

#include <span>
#include <string>
#include <vector>

namespace gyre::executors {

/// Puts the call's work on `stream`; what the work throws passes through. UsageError where it has
/// no device form.
void run_call(const DeviceProgram& program, const jit::Step& step, cuda::StreamView stream);

/// Makes a call that is placed on the host while `stream` is idle: its device form as `run_call`
/// does, else its host form, with copies of its arguments that are put back as its accesses say.
void run_on_host(const DeviceProgram& program, const jit::Step& step, cuda::StreamView stream);

/// A call as a node: the kernel that is all of it, or whatever it is.
struct RecordedCall {
  CUgraphNode node = nullptr;
  bool is_kernel = false;
};

/// Records the call's work on `stream`, which is ordered with the legacy default stream, and adds
/// it to `graph` behind `after`. RefusedCall where the work cannot stand in a graph; nothing is
/// added then, and the stream stays usable.
RecordedCall record_call(const DeviceProgram& program, const jit::Step& step,
                         const cuda::GraphView& graph, std::span<const cuda::Dependency> after,
                         cuda::StreamView stream);

}  // namespace gyre::executors
