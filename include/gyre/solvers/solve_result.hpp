/// How a solve ended, as every method tells it.
#pragma once

#include "gyre/solvers/reason.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::solvers {

/// What a method's program knows when it ends, and what it took.
struct SolveResult {
  Reason reason = Reason::MaxTrips;
  /// Trips that changed x, restarts included.
  std::int64_t iterations = 0;
  /// How often the method went on from b − A x because the recurrence had run ahead of it.
  std::int64_t restarts = 0;
  /// ‖b − A x‖ of the x that is returned, and the same over ‖b‖ (for b = 0 as it is, which is 0);
  /// NaN after `cancelled` and `max_seconds`.
  double residual = 0;
  double relative_residual = 0;
  /// ‖b − A x0‖.
  double start_residual = 0;
  /// What the method's recurrence took for ‖b − A x‖ / ‖b‖ when it last ended; 0 without a trip.
  double recurrence_residual = 0;
  /// Of no_diagonal and bad_pivot: the first such row, from 0.
  std::int64_t row = -1;
  /// Residual norms ‖r‖ after the trips first_kept, first_kept + 1, …; trip 0 is the start.
  std::vector<double> history = {};
  std::int64_t first_kept = 0;
  /// How often the host waited for the device.
  std::uint64_t host_syncs = 0;
  /// From the launch to the result, without making the program; 0 on a stream of the caller's.
  double seconds = 0;
};

/// Why it ended, in one sentence for a person.
std::string describe(const SolveResult& result);

}  // namespace gyre::solvers
