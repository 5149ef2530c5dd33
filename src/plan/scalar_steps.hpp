/// Lists of scalar steps: what of them is dead, and what of them a sweep waits for.
#pragma once

#include "gyre/plan/accesses.hpp"

#include <vector>

namespace gyre::plan {

/// Drops what a later step overwrites unread. A value that loads stays: it may fault.
void drop_dead_steps(const Plan& plan, std::vector<ScalarStep>& steps);

/// The buffers that steps load.
Symbols loads_of(const Plan& plan, const std::vector<ScalarStep>& steps);

/// Steps in two lists, each in order: running `needed` and then `rest` gives what all in order
/// give.
struct SplitSteps {
  std::vector<ScalarStep> needed;
  std::vector<ScalarStep> rest;
};

/// What must be done before something that reads `slots`, and what may be done behind it. A step
/// that ends the launch or checks something, and all before it, cannot wait.
SplitSteps split_needed(const Plan& plan, const std::vector<ScalarStep>& steps, Symbols slots);

}  // namespace gyre::plan
