/// What the arms of a fork must not have in common, since they run at once.
#pragma once

#include "gyre/plan/plan.hpp"

#include <string>
#include <vector>

namespace gyre::plan {

/// A sentence for each cell, buffer and fold's partials that one arm writes and another one
/// touches, and for each two temps of different arms that would share memory.
std::vector<std::string> breaches_of_fork(const Plan& plan, const ForkNode& fork);

}  // namespace gyre::plan
