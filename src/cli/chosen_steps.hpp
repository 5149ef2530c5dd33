/// `--without STEP` of the commands that make a plan.
#pragma once

#include "gyre/plan/plan_steps.hpp"

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gyre::cli {

/// Which plan a command shows.
struct ChosenSteps {
  bool checked = false;
  std::vector<std::string> without = {};

  /// UsageError for a name that no step bears.
  plan::PlanSteps steps() const;
};

/// Adds --checked and --without to `command`; `chosen` must outlive it.
void add_chosen_steps(CLI::App& command, ChosenSteps& chosen);

}  // namespace gyre::cli
