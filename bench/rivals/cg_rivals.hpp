/// Every rival of gyre's conjugate gradients that this build has.
#pragma once

#include "support/cg_way.hpp"

namespace gyre::bench::rivals {

/// cuBLAS and cuSPARSE are among them where they were found.
CgWays make_cg_rivals();

}  // namespace gyre::bench::rivals
