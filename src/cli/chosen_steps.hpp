/// `--without STEP` and `--cub` of the commands that make a plan.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/passes/call_library.hpp"
#include "gyre/plan/plan_steps.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gyre::cli {

/// Which plan a command shows.
struct ChosenSteps {
  bool checked = false;
  std::vector<std::string> without = {};
  bool cub = false;

  /// UsageError for a name that no step bears.
  plan::PlanSteps steps() const;
  /// What the passes are given: `program`, or with --cub that of which sorts and scans are calls.
  ir::Program called(ir::Program program) const;
  /// With --cub, a line for each scan, sort or selection: which form it takes, and why. It starts
  /// with a heading.
  std::string explain_forms(const ir::Program& program) const;
};

/// Adds --checked, --without and --cub to `command`; `chosen` must outlive it.
void add_chosen_steps(CLI::App& command, ChosenSteps& chosen);

}  // namespace gyre::cli
