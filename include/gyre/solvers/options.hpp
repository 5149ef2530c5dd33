/// What a solver is told: once, when its program is made, and anew for each solve.
///
/// Leaves out where it runs, which is the runtime's business.
#pragma once

#include <cstdint>
#include <string_view>

namespace gyre::solvers {

/// M of M⁻¹A x = M⁻¹b.
enum class Preconditioner : std::uint8_t {
  /// M = I.
  None,
  /// M = diag(A). It must be positive for CG, and must have no 0.
  Jacobi,
};

/// `none` or `jacobi`.
std::string_view name_of(Preconditioner preconditioner);

/// What changes a method's program.
struct Variant {
  Preconditioner preconditioner = Preconditioner::None;
  /// Whether the program has the buffer `history` and stores to it.
  bool keeps_history = false;
};

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
  /// The trips of one solve, restarts included; never exceeded. Converging on the last one is
  /// converging.
  std::int64_t max_trips = 10'000;
};

}  // namespace gyre::solvers
