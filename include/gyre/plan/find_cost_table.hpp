/// Which table of costs a machine uses.
#pragma once

#include "gyre/plan/cost_table.hpp"

#include <filesystem>
#include <string>

namespace gyre::plan {

struct FoundCosts {
  CostTable table;
  /// Where it comes from, for people: "measured here, in /home/…/costs/NVIDIA_H200.json".
  std::string origin;
};

/// The costs of `device`, a GPU by its name or empty for none: what the environment variable
/// GYRE_COSTS names, else what was measured for this user on such a GPU, else the shipped table. A
/// measured file that cannot be used costs one line of the log. Throws UsageError where the file of
/// GYRE_COSTS cannot be read or is no table.
FoundCosts find_cost_table(const std::string& device);

/// Where the costs measured on `device` are kept for this user, beside compiled kernels; empty
/// where there is no such place.
std::filesystem::path measured_costs_file(const std::string& device);

}  // namespace gyre::plan
