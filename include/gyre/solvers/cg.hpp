/// Conjugate gradients, for symmetric positive definite matrices: the method as a program.
///
/// Leaves out running it (solver.hpp). M. R. Hestenes, E. Stiefel, "Methods of conjugate gradients
/// for solving linear systems", 1952; with a preconditioner, Y. Saad, "Iterative methods for sparse
/// linear systems", algorithm 9.1.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// Three sweeps a trip, each with the folds over what it computes:
///
///     q = A p                       pᵀq
///     y += α p,  r −= α q           rᵀr, rᵀM⁻¹r      α = rᵀM⁻¹r / pᵀq
///     p = M⁻¹r + β p                                 β = new rᵀM⁻¹r / old rᵀM⁻¹r
ir::Program make_cg(const Variant& variant);

}  // namespace gyre::solvers
