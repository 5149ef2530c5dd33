/// The kernels at both ends of a launch.
#pragma once

#include "gyre/jit/emit_module.hpp"

#include <string>

namespace gyre::jit {

/// What the module's program takes and gives, as a function `letters`.
std::string emit_letters(const EmittedModule& module);

/// The text of `gyre_begin`, if the module has it, and `gyre_end`. Both need `letters`.
std::string emit_ends(const EmittedModule& module);

}  // namespace gyre::jit
