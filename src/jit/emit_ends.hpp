/// The kernels at both ends of a launch.
#pragma once

#include "gyre/jit/emit_module.hpp"

#include <string>

namespace gyre::jit {

/// The text of `gyre_begin` and `gyre_end`, which know what the module's program takes and gives.
std::string emit_ends(const EmittedModule& module);

}  // namespace gyre::jit
