/// Ways of a forward, measured in turns on one number of arms after the other.
#pragma once

#include "support/forward_way.hpp"
#include "support/report.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::bench {

/// gyre's ways on each of these executors, and its rivals'.
ForwardWays make_forward_ways(const std::vector<std::string>& executors);

/// What is launched one after the other: the arms that are chosen in turn.
struct ForwardProblem {
  std::string name;
  int arms;
  std::vector<std::int32_t> chosen;
  nlohmann::json figures;
};

/// Adds a row for each way: the time from launch to result, with y left on the GPU. Throws where y
/// is wrong.
void run_forwards(Report& report, const ForwardProblem& problem, const ForwardWays& ways);

}  // namespace gyre::bench
