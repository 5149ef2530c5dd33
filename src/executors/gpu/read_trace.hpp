/// The log of trips that a traced run leaves on the device (kernels/trace.cuh).
#pragma once

#include "device_program.hpp"
#include "gyre/ir/outcome.hpp"
#include "gyre/ir/run_options.hpp"

namespace gyre::executors {

/// After a traced run: tells `options.on_trip` of each trip that was kept, in their order, and the
/// outcome how long the run took.
void read_trace(const DeviceProgram& program, const ir::RunOptions& options, ir::Outcome& outcome);

}  // namespace gyre::executors
