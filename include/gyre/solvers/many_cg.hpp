/// Conjugate gradients for many right-hand sides of one matrix, each of which the whole device
/// works on: sweeps go over right-hand sides and rows.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// The steps of cg.hpp, of each right-hand side by itself; five kernels a trip for all of them:
///
///     q = A p                       pᵀq in pieces of 2,048 rows
///     y += α p,  r −= α q           rᵀr, rᵀM⁻¹r in pieces      α = rᵀM⁻¹r / pᵀq
///     β and who goes on             one block for each right-hand side
///     p = M⁻¹r + β p
///     whether any goes on
///
/// What has come to its end, or to where b − A x is computed, is passed by until the others have.
/// `variant.matrix` has rows, or it is a UsageError; M is I or diagonal: none, jacobi or spai0.
ir::Program make_many_cg(const Variant& variant);

}  // namespace gyre::solvers
