/// The steps that make_plan takes for speed, each with its name: which of them to take.
///
/// None changes a bit, a status or a count of trips. Leaves out what they do (docs/lowering.md
/// shows it) and what is chosen when a plan becomes a graph (choices.hpp).
#pragma once

#include <span>
#include <string_view>

namespace gyre::plan {

/// None of them by default. A plan with any of them is *fused*: the order in which its kernels find
/// faults is not the program's, so that it is for unchecked runs.
struct PlanSteps {
  /// Neighbouring sweeps over the same points become one kernel.
  bool fuse_sweeps = false;
  /// Scalar work that nothing waits for ends the kernel before it.
  bool epilogues = false;
  /// Scalar work goes in front of calls, clears and copies that it has nothing to do with.
  bool overtaking = false;
  /// Small arms of branches become selects, and statements of sweeps.
  bool select_arms = false;
  /// Clears that nobody would miss go.
  bool drop_clears = false;
  /// A copy that ends a trip is a kernel, or two buffers that change places.
  bool swaps = false;

  friend bool operator==(const PlanSteps&, const PlanSteps&) = default;
};

inline constexpr PlanSteps no_steps = {};
inline constexpr PlanSteps all_steps = {true, true, true, true, true, true};

/// Those of a run: none where it is checked, else all.
constexpr PlanSteps steps_of_run(bool checked) {
  return checked ? no_steps : all_steps;
}

/// A step under the one name that its heading in docs/lowering.md bears.
struct PlanStepInfo {
  std::string_view name;
  bool PlanSteps::*taken;
};

/// Every step, in the order of docs/lowering.md.
std::span<const PlanStepInfo> plan_steps();

}  // namespace gyre::plan
