/// What the commands of the gyre program share: how they join it and how they end.
///
/// Each command is one file with one `add_` function; main.cpp lists them. Leaves out what a
/// command does and every option that belongs to one alone.
#pragma once

#include <CLI/CLI.hpp>

namespace gyre::cli {

/// The exit code of the program.
enum class Exit {
  Done = 0,
  /// The work was done as asked and did not reach its goal: not converged, a trip limit, a fault
  /// of the program while it ran.
  GoalNotReached = 1,
  /// Bad usage, or an input with faults.
  BadInput = 2,
  /// The machine failed, or gyre broke a promise to itself.
  MachineFailed = 3,
};

// Each adds the command of its name. When the command is chosen and has run, `exit` says how it
// ended; its errors are exceptions (gyre/base/error.hpp), which main turns into exit codes.
void add_check(CLI::App& app, Exit& exit);
void add_fmt(CLI::App& app, Exit& exit);
void add_explain(CLI::App& app, Exit& exit);
void add_plan(CLI::App& app, Exit& exit);
void add_run(CLI::App& app, Exit& exit);
void add_solve(CLI::App& app, Exit& exit);
void add_doctor(CLI::App& app, Exit& exit);

}  // namespace gyre::cli
