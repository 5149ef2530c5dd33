/// Conjugate gradients, for symmetric positive definite matrices: the method as a program.
///
/// Leaves out running it (solver.hpp). M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients
/// for solving linear systems", 1952; with a preconditioner, Y. Saad, "Iterative methods for sparse
/// linear systems", algorithm 9.1.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/solvers/options.hpp"

namespace gyre::solvers {

/// Three sweeps a trip, each with the folds over what it computes:
///
///     q = A p                       pᵀq
///     y += α p,  r −= α q           rᵀr, rᵀM⁻¹r      α = rᵀM⁻¹r / pᵀq
///     p = M⁻¹r + β p                                 β = new rᵀM⁻¹r / old rᵀM⁻¹r
///
/// r is a recurrence and drifts from b − A x. So when it passes the tolerance, b − A x is computed;
/// if that passes, the solve has converged, else it goes on from there with p = M⁻¹r, as long as
/// each such restart halves the residual. y is what the trips since then add to x, by itself: so x
/// is rounded once a restart, not once a trip. What it declares is in solver.hpp.
ir::Program make_cg(const Variant& variant);

}  // namespace gyre::solvers
