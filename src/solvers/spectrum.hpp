/// Between which numbers the eigenvalues of M⁻¹A are taken to lie.
#pragma once

#include "approximate_inverse.hpp"

namespace gyre::solvers {

/// The smallest is this part of the largest, where nobody says: enough for a smoother, and a guess
/// for a solver.
inline constexpr double spectrum_ratio = 30;

/// What |λ| is at most: where M is diagonal and A has rows, a bound by Gershgorin, max_i Σ_j
/// |(M⁻¹A)_ij|; else what a few trips of the power method find, and a fifth more.
template <class T>
Real largest_eigenvalue(const LinearSystem<T>& s, const ApproximateInverse<T>& m);

}  // namespace gyre::solvers
