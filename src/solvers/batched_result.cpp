#include "gyre/solvers/batched_result.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace gyre::solvers {

std::int64_t BatchedResult::converged() const {
  return std::count_if(reasons.begin(), reasons.end(), is_converged);
}

SolveResult BatchedResult::of(std::int64_t system) const {
  const auto at = static_cast<std::size_t>(system);
  SolveResult one;
  one.reason = reasons.at(at);
  one.iterations = iterations[at];
  one.restarts = restarts[at];
  one.residual = residuals[at];
  one.relative_residual = relative_residuals[at];
  one.start_residual = start_residuals[at];
  one.recurrence_residual = recurrence_residuals[at];
  one.row = rows[at];
  return one;
}

std::string describe(const BatchedResult& result) {
  if (result.all_converged()) return fmt::format("all {} systems converged", result.systems());
  const auto first = std::find_if_not(result.reasons.begin(), result.reasons.end(), is_converged);
  const std::int64_t system = first - result.reasons.begin();
  return fmt::format("{} of {} systems converged; the first that did not is system {}: {}",
                     result.converged(), result.systems(), system + 1, describe(result.of(system)));
}

}  // namespace gyre::solvers
