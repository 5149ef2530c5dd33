/// Why a solve ended. Every method decides it inside its program, by a number in a slot.
#pragma once

#include <cstdint>
#include <string_view>

namespace gyre::solvers {

enum class Reason : std::uint8_t {
  /// ‖b − A x‖ <= rtol ‖b‖, computed anew from x.
  ConvergedRtol,
  /// ‖b − A x‖ <= atol, computed anew from x, where rtol alone is not met.
  ConvergedAtol,
  /// The trips that were allowed are used up.
  MaxTrips,
  /// A curvature pᵀA p, or with a preconditioner rᵀM⁻¹r, is not positive: the matrix or the
  /// preconditioner is not positive definite.
  BreakdownIndefinite,
  /// The method divides by something that is 0: it cannot go on from its x, another method may.
  Breakdown,
  /// A row without a diagonal entry, or with a 0 there: Jacobi cannot divide by it.
  BreakdownNoDiagonal,
  /// A NaN or an infinity in the matrix or in b, or one that came up on the way.
  DivergedNan,
  /// The residual has grown beyond dtol.
  Diverged,
  /// The residual of x no longer falls, whatever the recurrence says: x is as good as the precision
  /// allows, and that is not the tolerance.
  Stagnated,
  /// The caller cancelled the solve. x is the last one whose true residual was computed: the start,
  /// or that of the last restart.
  Cancelled,
};

/// `converged_rtol`, `max_trips`, …: the words of JSON and documentation.
std::string_view name_of(Reason reason);

/// Whether x is a solution within the tolerance.
bool is_converged(Reason reason);

}  // namespace gyre::solvers
