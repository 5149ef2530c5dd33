/// Every rival of gyre's conjugate gradients that this build has.
#pragma once

#include "support/solve_way.hpp"

namespace gyre::bench::rivals {

/// cuBLAS and cuSPARSE are among them where they were found.
SolveWays make_cg_rivals();

}  // namespace gyre::bench::rivals
