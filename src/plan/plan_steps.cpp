#include "gyre/plan/plan_steps.hpp"

namespace gyre::plan {
namespace {

constexpr PlanStepInfo steps[] = {
    {"fuse_sweeps", &PlanSteps::fuse_sweeps}, {"epilogues", &PlanSteps::epilogues},
    {"overtaking", &PlanSteps::overtaking},   {"select_arms", &PlanSteps::select_arms},
    {"drop_clears", &PlanSteps::drop_clears}, {"swaps", &PlanSteps::swaps},
};

}  // namespace

std::span<const PlanStepInfo> plan_steps() {
  return steps;
}

}  // namespace gyre::plan
