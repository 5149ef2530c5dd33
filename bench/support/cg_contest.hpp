/// Ways of conjugate gradients, measured in turns on one system after the other.
#pragma once

#include "support/cg_way.hpp"
#include "support/report.hpp"

#include <set>
#include <string>

namespace gyre::bench {

struct CgProblem {
  std::string name;
  CgSystem& system;
  CgLimits limits;
  int runs;
};

/// Adds a row for each way and problem: the time from launch to result by the host's clock, divided
/// by the trips. Each way's solution is compared with the first way's, which gyre's and the
/// hand-written ones must have to the bit; the libraries' may differ by rounding.
class CgContest {
 public:
  CgContest(Report& report, CgWays ways);

  void run(const CgProblem& problem);
  /// Throws where a solution was not the first one's.
  void conclude() const;

 private:
  struct Lane;

  std::vector<Lane> prepare(const CgProblem& problem);

  Report& report_;
  CgWays ways_;
  std::set<std::string> disagreeing_;
};

}  // namespace gyre::bench
