/// Ways to solve, measured in turns on one system after the other.
#pragma once

#include "support/report.hpp"
#include "support/solve_way.hpp"

#include <set>
#include <string>

namespace gyre::bench {

struct SolveProblem {
  std::string name;
  DeviceSystem& system;
  SolveLimits limits;
  int runs;
};

/// Adds a row for each way and problem: the time from launch to result by the host's clock, divided
/// by the trips. Each way's solution is compared with the first way's, which gyre's and the
/// hand-written ones must have to the bit; the libraries' may differ by rounding.
class SolveContest {
 public:
  SolveContest(Report& report, SolveWays ways);

  void run(const SolveProblem& problem);
  /// Throws where a solution was not the first one's.
  void conclude() const;

 private:
  struct Lane;

  std::vector<Lane> prepare(const SolveProblem& problem);

  Report& report_;
  SolveWays ways_;
  std::set<std::string> disagreeing_;
};

}  // namespace gyre::bench
