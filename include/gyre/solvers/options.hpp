/// What a solver is told: once, when its program is made, and anew for each solve.
///
/// Leaves out where it runs, which is the runtime's business.
#pragma once

#include <cstdint>

namespace gyre::solvers {

/// What may change from one solve to the next. A solve converges when
///
///     ‖b − A x‖ <= max(rtol ‖b‖, atol)
///
/// in the 2-norm, ‖b‖ and not the first residual being the measure, so that a good x to start from
/// saves trips.
struct SolveOptions {
  /// Not negative. 0 asks for a residual of exactly 0, unless atol allows more.
  double rtol = 1e-8;
  /// Not negative.
  double atol = 0;
  /// The solve has diverged when ‖b − A x‖ > dtol max(‖b‖, ‖b − A x0‖). At least 1; infinity never
  /// gives up.
  double dtol = 1e10;
  /// The trips of one solve, restarts included; never exceeded. Converging on the last one is
  /// converging.
  std::int64_t max_trips = 10'000;
  /// Of richardson and jacobi: ω of x += ω M⁻¹(b − A x). Positive.
  double relaxation = 1;
  /// Of chebyshev: between which numbers the eigenvalues of M⁻¹A lie. 0 for the largest: a bound
  /// that is computed from the matrix; 0 for the smallest: a thirtieth of the largest.
  double eigenvalue_min = 0;
  double eigenvalue_max = 0;
};

}  // namespace gyre::solvers
