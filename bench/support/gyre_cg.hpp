/// gyre's conjugate gradients as ways to compare.
#pragma once

#include "gyre/executors/executor.hpp"
#include "gyre/runtime/executable.hpp"
#include "support/solve_way.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

/// The program that every bench runs, on the executor of this name.
Executable compile_cg(const std::string& executor);
/// Binds the system, x in place, and sets the limits.
void bind_cg(Executable& cg, const DeviceSystem& system, const SolveLimits& limits);

/// A way for each of these executors. `cpu` gets a copy of the system on the host.
SolveWays make_gyre_cgs(const std::vector<std::string>& executors);

/// An executor that no name stands for, made for a plan.
using MakeExecutor =
    std::function<std::unique_ptr<executors::Executor>(std::shared_ptr<const plan::Plan>)>;
/// The plan that `executor` gets, on one that `make` makes.
std::unique_ptr<SolveWay> make_gyre_cg_on(const std::string& name, const std::string& executor,
                                          const MakeExecutor& make);

}  // namespace gyre::bench
