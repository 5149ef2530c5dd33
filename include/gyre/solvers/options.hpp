/// What a solve is told, anew each time: when it ends.
///
/// Leaves out what is fixed when a solver is made (solver.hpp).
#pragma once

#include <cstdint>
#include <limits>

namespace gyre::solvers {

/// What `rtol` is relative to, in the 2-norm.
enum class RtolOf : std::uint8_t {
  /// ‖b‖: a good x to start from saves trips and does not tighten the test.
  Rhs,
  /// ‖b − A x0‖: each solve gains as many digits, however good its start.
  Start,
};

/// Criteria that combine: a solve ends as soon as one of them says so. It has converged when
///
///     ‖b − A x‖ <= max(rtol ‖b‖, atol)
///
/// in the 2-norm; or with ‖b − A x0‖ in place of ‖b‖. Any of them may be another in each solve,
/// without a new program.
struct SolveOptions {
  /// Not negative. 0 asks for a residual of exactly 0, unless atol allows more.
  double rtol = 1e-8;
  RtolOf rtol_of = RtolOf::Rhs;
  /// Not negative.
  double atol = 0;
  /// The solve has failed when ‖b − A x‖ > dtol max(‖b‖, ‖b − A x0‖). At least 1; infinity never
  /// gives up.
  double dtol = 1e10;
  /// The trips of one solve, restarts included; never exceeded. Converging on the last one is
  /// converging.
  std::int64_t max_trips = 10'000;
  /// rtol, atol and dtol are looked at in every so manieth trip, and in the last one. At least 1.
  /// Trips made past the tolerance count. They end before the next look where the residual has
  /// fallen as far as the precision of the method's vectors goes.
  std::int64_t check_every = 1;
  /// Of the host's clock, from the launch on; positive. Whoever waits for the solve ends it then,
  /// before its next trip.
  double max_seconds = std::numeric_limits<double>::infinity();
  /// Of richardson and jacobi: ω of x += ω M⁻¹(b − A x); of gauss_seidel and ssor: how much further
  /// than to its solution an element goes, below 2. Positive.
  double relaxation = 1;
  /// Of chebyshev: between which numbers the eigenvalues of M⁻¹A lie. 0 for the largest: a bound
  /// that is computed from the matrix; 0 for the smallest: a thirtieth of the largest.
  double eigenvalue_min = 0;
  double eigenvalue_max = 0;
};

}  // namespace gyre::solvers
