/// The steps of making a plan, each taken or left by the toss of a coin.
#pragma once

#include "gyre/plan/plan_steps.hpp"
#include "support/random.hpp"

namespace gyre::support {

inline plan::PlanSteps random_steps(std::uint64_t seed) {
  Random random(seed);
  plan::PlanSteps steps;
  for (const plan::PlanStepInfo& step : plan::plan_steps()) steps.*step.taken = random.chance(50);
  return steps;
}

}  // namespace gyre::support
