/// The minimal residual method, for symmetric matrices, indefinite ones too: as a program.
///
/// Leaves out running it (solver.hpp). C. C. Paige, M. A. Saunders, "Solution of sparse indefinite
/// systems of linear equations", SIAM J. Numer. Anal. 12, 1975; with a preconditioner, H. Elman, D.
/// Silvester, A. Wathen, "Finite elements and fast iterative solvers", algorithm 6.1.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// Three sweeps a trip. γ, c, s, η of the trip before have no mark, those before that are old:
///
///     q = A z                                     δ = zᵀq
///     v' = q − (δ/γ) v − (γ/γ_old) v_old          γ' = √(v'ᵀM⁻¹v')
///         α₀ = c δ − c_old s γ,  α₁ = √(α₀² + γ'²),  α₂ = s δ + c_old c γ,  α₃ = s_old γ
///         c' = α₀/α₁,  s' = γ'/α₁,  η' = −s' η
///     w' = (z − α₃ w_old − α₂ w)/α₁,  y += c' η w',  z = M⁻¹v'/γ',  r = s'² r + (η' c'/γ') v'
///
/// M must be positive definite. r is the residual itself, so that the test is on ‖r‖ and not on
/// |η|, its size in the norm of M⁻¹.
ir::Program make_minres(const Variant& variant);

}  // namespace gyre::solvers
