/// The stabilised biconjugate gradient method, for any matrix: the method as a program.
///
/// Leaves out running it (solver.hpp). H. A. van der Vorst, "Bi-CGSTAB", SIAM J. Sci. Stat. Comput.
/// 13, 1992; preconditioned from the right, so that ‖r‖ is the residual of x.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// Five sweeps a trip, two of them with a product:
///
///     v = A M⁻¹p                          r̂ᵀv         α = r̂ᵀr / r̂ᵀv
///     s = r − α v
///     t = A M⁻¹s                          tᵀs, tᵀt     ω = tᵀs / tᵀt
///     y += α M⁻¹p + ω M⁻¹s,  r = s − ω t  rᵀr, r̂ᵀr    β = (new r̂ᵀr / old r̂ᵀr)(α / ω)
///     p = r + β (p − ω v)
///
/// r̂ is the residual that it started from. Where r̂ᵀr, r̂ᵀv or ω is 0, it ends as `breakdown`.
ir::Program make_bicgstab(const Variant& variant);

}  // namespace gyre::solvers
