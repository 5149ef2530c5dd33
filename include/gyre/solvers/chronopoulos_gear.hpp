/// Conjugate gradients in the form of Chronopoulos and Gear: the method as a program.
///
/// Leaves out running it (solver.hpp). A. T. Chronopoulos, C. W. Gear, "s-step iterative methods
/// for symmetric linear systems", J. Comput. Appl. Math. 25, 1989, for s = 1.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// Two sweeps a trip where cg has three, since A p is a recurrence too:
///
///     w = A u                                          δ = wᵀu       u = M⁻¹r,  γ = rᵀu
///     p = u + β p,  s = w + β s,  y += α p,  r −= α s  β = γ/γ_old,  α = γ/(δ − β γ/α_old)
///
/// The same steps as cg in exact arithmetic. In floating point s drifts from A p, and the
/// difference in α cancels digits: the residual that can be reached in one go is larger, by more
/// the worse A is conditioned, and restarts make up for it.
ir::Program make_chronopoulos_gear(const Variant& variant);

}  // namespace gyre::solvers
