/// Where a launch begins and ends among the steps of its plan.
///
/// A kernel of the plan begins it where one block runs the first one. It ends where its last
/// decision falls: on the way out of a conditional node the result would be microseconds late.
/// Leaves out the text (emit_ends.hpp).
#pragma once

#include "lay_steps.hpp"

#include <vector>

namespace gyre::jit {

/// Adds the kernels at the ends of a launch to the module's steps and kernels; `laid` are those
/// that it has so far. Notes in `context` which branches end the launch.
void lay_ends(ModuleContext& context, const std::vector<LaidKernel>& laid, EmittedModule& module);

}  // namespace gyre::jit
