/// How the solves of many systems ended, each by itself.
#pragma once

#include "gyre/solvers/solve_result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::solvers {

/// Arrays with an element for each system; the words are those of SolveResult.
struct BatchedResult {
  std::vector<Reason> reasons;
  std::vector<std::int64_t> iterations;
  std::vector<std::int64_t> restarts;
  /// ‖b − A x‖, computed anew from the x that is returned, and the same over ‖b‖.
  std::vector<double> residuals;
  std::vector<double> relative_residuals;
  /// ‖b − A x0‖.
  std::vector<double> start_residuals;
  std::vector<double> recurrence_residuals;
  /// Of no_diagonal: the first such row, from 0; else -1.
  std::vector<std::int64_t> rows;
  /// How often the host waited for the device, and from the launch to the result.
  std::uint64_t host_syncs = 0;
  double seconds = 0;

  std::int64_t systems() const { return static_cast<std::int64_t>(reasons.size()); }
  std::int64_t converged() const;
  bool all_converged() const { return converged() == systems(); }
  /// What a solve of that system alone would tell, but for host_syncs and seconds.
  SolveResult of(std::int64_t system) const;
};

/// How many systems converged, and of the first that did not why, in one sentence for a person.
std::string describe(const BatchedResult& result);

}  // namespace gyre::solvers
