/// What a run left behind, in the lines that conformance files hold.
#pragma once

#include "gyre/ir/program.hpp"
#include "support/same_run.hpp"

#include <string>

namespace gyre::support {

/// How the run ended (`#=`), then trips and arms of each region, output scalars, and buffers that
/// the program writes (`#>`).
///
/// Equal texts mean equal bits, any NaN being equal to any NaN: numbers read back as they were, and
/// a buffer of more than 40 elements is told by its first ones and a hash of all. What the language
/// leaves open is left out: data after a trip limit or a fault, and where a broken promise was
/// seen.
std::string report(const ir::Program& program, const Run& run);

}  // namespace gyre::support
