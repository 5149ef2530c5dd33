/// Which executors do what they promise on this machine.
#pragma once

#include "gyre/executors/make_executor.hpp"

#include <vector>

namespace gyre::cli {

/// Every executor, the one that `auto` prefers first. Each that is available runs a program of a
/// loop and a branch: one that fails at it, late as a driver may, is not available, with that
/// reason. Throws nothing.
std::vector<executors::ExecutorInfo> try_executors();

}  // namespace gyre::cli
