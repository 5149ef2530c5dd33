/// Runs the programs of the conformance suite in one way, and compares what comes of it with what
/// their files say.
#pragma once

#include "gyre/executors/executor.hpp"
#include "support/conformance_file.hpp"
#include "support/owned_arguments.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace gyre::support {

/// Launches one program, time after time, on the arguments that it is given.
using Launcher = std::function<ir::Outcome(OwnedArguments&, const ir::RunOptions&)>;

/// A way to run programs. Adding one is adding a row where ways are listed.
struct Way {
  std::string name;
  /// Runs in checked mode; other ways leave out what has a meaning there alone.
  bool checked = false;
  std::function<Launcher(const ir::Program&)> make;
};

using MakeExecutor =
    std::function<std::unique_ptr<executors::Executor>(std::shared_ptr<const plan::Plan>)>;

/// The way through the passes, the plan, and an executor that lives for all launches.
Way on_executor(std::string name, bool checked, MakeExecutor make);

/// Whether `way` has anything to run in `file`.
bool has_runs_for(const Way& way, const ConformanceFile& file);

/// What is wrong with the runs of `path` in this way, made one after the other and each twice, so
/// that nothing that a launch leaves can hide; empty where they are as the file says.
std::string fault_of(const Way& way, const std::filesystem::path& path);

/// Writes the results of `path` anew, as `way` has them.
void rewrite_results(const Way& way, const std::filesystem::path& path);

}  // namespace gyre::support
