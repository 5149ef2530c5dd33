/// Why a solve ended. Every method decides it inside its program, by a number in a slot.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gyre::solvers {

/// Positive: x is a solution within the tolerance. Negative: it is none. Numbers down to -11 are
/// those of PETSc's KSPConvergedReason; those from -20 on are of gyre's own.
enum class Reason : std::int8_t {
  /// ‖b − A x‖ <= rtol times what it is relative to, computed anew from x.
  ConvergedRtol = 2,
  /// ‖b − A x‖ <= atol, computed anew from x, where rtol alone is not met.
  ConvergedAtol = 3,
  /// The trips that were allowed are used up.
  MaxTrips = -3,
  /// The residual has grown beyond dtol.
  Dtol = -4,
  /// The method divides by something that is 0: it cannot go on from its x, another method may.
  Breakdown = -5,
  /// A NaN or an infinity in the matrix or in b, or one that came up on the way.
  NanOrInf = -9,
  /// A curvature pᵀA p, or with a preconditioner rᵀM⁻¹r, is not positive: the matrix or the
  /// preconditioner is not positive definite.
  Indefinite = -10,
  /// A row without a diagonal entry, or with a 0 there: the preconditioner cannot divide by it.
  NoDiagonal = -11,
  /// The residual of x no longer falls, whatever the recurrence says: x is as good as the precision
  /// allows, and that is not the tolerance.
  Stagnated = -20,
  /// The time that was allowed is used up. x is the last one whose true residual was computed: the
  /// start, or that of the last restart.
  MaxSeconds = -21,
  /// The caller cancelled the solve, with an x as after MaxSeconds.
  Cancelled = -22,
  /// A row that leaves incomplete factors a pivot of 0, or with ic0 one that is not positive.
  BadPivot = -23,
};

/// Every reason, in this order.
std::span<const Reason> reasons();

/// `converged_rtol`, `max_trips`, …: the words of JSON and documentation.
std::string_view name_of(Reason reason);

/// Whether x is a solution within the tolerance.
constexpr bool is_converged(Reason reason) {
  return static_cast<int>(reason) > 0;
}

}  // namespace gyre::solvers
