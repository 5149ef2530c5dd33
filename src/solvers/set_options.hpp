/// What a solve is told, as every program of a method takes it.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/options.hpp"

namespace gyre::solvers {

/// UsageError for an option out of its range.
void verify_options(const SolveOptions& options);
/// Sets what `verify_options` accepts for the launches to come, but for max_seconds: the program
/// knows no clock.
void set_options(Executable& executable, const SolveOptions& options);

}  // namespace gyre::solvers
