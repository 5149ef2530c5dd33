/// The Chebyshev iteration, for symmetric positive definite matrices: the method as a program.
///
/// Leaves out running it (solver.hpp). Y. Saad, "Iterative methods for sparse linear systems",
/// algorithm 12.1.
#pragma once

#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// One sweep a trip. With the eigenvalues of M⁻¹A in a .. b, θ = (b + a)/2 and δ = (b − a)/2:
///
///     d = M⁻¹r / θ,  ρ = δ/θ
///     y += d,  r −= A d,  ρ' = 1/(2θ/δ − ρ),  d = (2ρ'/δ) M⁻¹r + ρ'ρ d
///
/// No product of vectors decides a step: ‖r‖ is there for the stop test alone. Eigenvalues below a
/// make it slow, above b they make it diverge. a and b are SolveOptions::eigenvalue_min and _max.
ir::Program make_chebyshev(const Variant& variant);

}  // namespace gyre::solvers
