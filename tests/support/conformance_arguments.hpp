/// What a run of a conformance file gives to its program.
#pragma once

#include "support/conformance_file.hpp"
#include "support/owned_arguments.hpp"

namespace gyre::support {

/// The arguments of `run`, complete: every size, every input that has no initial value. Buffers
/// that are only written are full of `rubbish`, which nothing may depend on. Throws
/// std::runtime_error where something is missing, unknown or ill written.
OwnedArguments make_arguments(const ir::Program& program, const ConformanceRun& run,
                              std::byte rubbish);

}  // namespace gyre::support
