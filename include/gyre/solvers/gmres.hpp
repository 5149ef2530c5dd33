/// Generalised minimal residuals with restarts, for any matrix: the method as a program.
///
/// Leaves out running it (solver.hpp). Y. Saad, M. H. Schultz, "GMRES", SIAM J. Sci. Stat. Comput.
/// 7, 1986; preconditioned from the right, so that the residual that it minimises is that of x.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// A cycle has up to m trips, each of which adds a vector to an orthonormal basis V of the Krylov
/// space and turns one more column of the Hessenberg matrix into the triangle R:
///
///     w = A M⁻¹v_j
///     h = Vᵀw,  w −= V h             twice, since once is not orthogonal enough
///     v_{j+1} = w / ‖w‖
///     column j of R, and |g_{j+1}| = min ‖r₀ − A M⁻¹V u‖, by j + 1 Givens rotations
///
/// and ends with y = M⁻¹V u, where R u = g. All of it is done on the device: nothing is read back
/// until the solve has ended. m is Variant::restart.
ir::Program make_gmres(const Variant& variant);

}  // namespace gyre::solvers
