/// gyre's solvers as ways to compare.
#pragma once

#include "gyre/solvers/solver.hpp"
#include "support/solve_way.hpp"

#include <memory>
#include <string>

namespace gyre::bench {

/// `options.method` on that executor of a GPU, with all arrays on the device.
std::unique_ptr<SolveWay> make_gyre_solver(const std::string& executor,
                                           const solvers::SolverOptions& options);

}  // namespace gyre::bench
