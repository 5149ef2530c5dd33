/// Gauss-Seidel and successive over-relaxation, all rows of a colour at once: for diagonally
/// dominant and for symmetric positive definite matrices. L. Seidel, 1874; D. M. Young, 1950.
///
///     for each colour:  x_i += ω (b − A x)_i / a_ii   for its rows i
///
/// Y. Saad, "Iterative methods for sparse linear systems", sections 4.1 and 12.4. For ω = 1 a trip
/// is Gauss-Seidel's of the matrix whose rows stand in the order of their colours.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/solvers/variant.hpp"

namespace gyre::solvers {

/// UsageError with a preconditioner: the method takes none.
ir::Program make_gauss_seidel(const Variant& variant = {});

}  // namespace gyre::solvers
