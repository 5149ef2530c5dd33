/// A solve under way: waiting for it, hearing of its trips, ending it early.
#pragma once

#include "gyre/solvers/solve_result.hpp"

#include <cstdint>
#include <functional>
#include <memory>

namespace gyre::solvers {

/// Hears of the trips of a solve while it runs, with ‖r‖ as the method's recurrence has it; false
/// ends the solve as `cancelled`, and it still hears of what trips were made until then. The thread
/// that waits for the solve calls it.
///
/// Of a solver with a history (SolverOptions::history) it hears of each trip once and in order, 0
/// being the start; left out are trips that the history has forgotten before they were seen, so
/// that a longer one leaves out fewer. Without a history it is asked now and then, with the trips
/// of all loops so far, those within a preconditioner included, and NaN. The program neither waits
/// for it nor knows of it: the host looks at the device's memory every few milliseconds.
using Monitor = std::function<bool(std::int64_t trip, double residual)>;

/// One solve, while it runs and after; copies stand for the same one. Only `cancel` and `ready` may
/// be called by several threads at once.
class SolveLaunch {
 public:
  /// Waits for the end and tells how it came. May be asked again. What failed on the machine
  /// throws.
  const SolveResult& result(const Monitor& monitor = {});
  /// Whether `result` would return at once.
  bool ready() const;
  /// Ends it as `cancelled` before its next trip.
  void cancel();

 private:
  friend class Solver;
  class State;
  explicit SolveLaunch(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace gyre::solvers
