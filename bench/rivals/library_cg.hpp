/// Conjugate gradients as they are written with cuBLAS and cuSPARSE.
#pragma once

#include "support/solve_way.hpp"

#include <memory>

namespace gyre::bench::rivals {

/// Dot products come back to the host, which computes alpha and beta and decides.
std::unique_ptr<SolveWay> make_library_cg_with_host_scalars();
/// Scalars stay on the GPU, a small kernel computes alpha and beta, and nothing is decided: it
/// makes all its trips.
std::unique_ptr<SolveWay> make_library_cg_with_device_scalars();

}  // namespace gyre::bench::rivals
