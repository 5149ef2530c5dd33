/// Richardson's iteration, and Jacobi's, which is the one with the diagonal: as programs.
///
/// Leaves out running them (solver.hpp). Y. Saad, "Iterative methods for sparse linear systems",
/// sections 4.1 and 4.2.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// x += ω M⁻¹(b − A x), one sweep a trip. Converges where the eigenvalues of ω M⁻¹A lie within 1 of
/// 1. ω is SolveOptions::relaxation.
ir::Program make_richardson(const Variant& variant);

/// The same with M = diag(A); another preconditioner is a UsageError.
ir::Program make_jacobi(const Variant& variant);

}  // namespace gyre::solvers
