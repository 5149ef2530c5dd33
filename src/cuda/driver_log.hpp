/// What the driver itself says about a failure (CUDA 12.9 and later), per thread.
///
/// Leaves out older drivers, which say nothing.
#pragma once

#include "gyre/cuda/driver.hpp"

#include <string>

namespace gyre::cuda {

/// Asks the driver, once for the process, to report its error sentences.
void listen_to_driver_log(const Driver& driver);
/// Drops what was heard on this thread.
void forget_driver_log();
/// What was heard on this thread since, as one line; forgets it.
std::string take_driver_log();

}  // namespace gyre::cuda
