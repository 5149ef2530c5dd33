/// Every rival of gyre's solvers that this build has.
#pragma once

#include "support/solve_way.hpp"

#include <string>

namespace gyre::bench::rivals {

/// Those of the method that the contest calls `name`; none where a library was not found.
SolveWays make_solver_rivals(const std::string& name);

}  // namespace gyre::bench::rivals
