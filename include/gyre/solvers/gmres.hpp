/// Generalised minimal residuals with restarts, for any matrix: the method as a program.
///
/// Leaves out running it (solver.hpp). Y. Saad, M. H. Schultz, "GMRES", SIAM J. Sci. Stat. Comput.
/// 7, 1986; preconditioned from the right, so that the residual that it minimises is that of x.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// A cycle has up to m trips, each of which adds a vector to an orthonormal basis Q of the Krylov
/// space and a column to the least-squares problem that its end solves:
///
///     s = Qᵀû,  z = Qᵀw                  of w = A M⁻¹û, all products in one go
///     q_j = (û − Q s) / ‖û − Q s‖        û has been made orthogonal once; this is the second time
///     û = (w − Q z − t q_j) / ‖w‖        and this the first of the next
///     w = A M⁻¹û
///
/// So every vector is made orthogonal twice, which keeps Q orthonormal to the last digits, and Q is
/// read twice a trip, as if it were once. What the second time takes out of û is not known when w
/// is made of it; since A M⁻¹ is linear, the columns are corrected instead of w. The method is that
/// of D. Bielich, J. Langou, S. Thomas, K. Świrydowicz, I. Yamazaki, E. Boman, "Low-synch
/// Gram–Schmidt with delayed reorthogonalization for Krylov solvers", Parallel Computing 112, 2022.
///
/// Nothing is read back until the solve has ended. m is Variant::restart.
ir::Program make_gmres(const Variant& variant);

}  // namespace gyre::solvers
