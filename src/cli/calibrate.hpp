/// `gyre doctor --calibrate`: measures what control flow costs on this machine's GPU.
#pragma once

#include "command.hpp"

namespace gyre::cli {

/// Measures a table of costs, prints it and keeps it where gyre looks for it. Throws
/// EnvironmentError where there is no GPU to measure or no place to keep it.
Exit calibrate();

}  // namespace gyre::cli
