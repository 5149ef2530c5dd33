#include "gyre/plan/teams.hpp"

#include "gyre/plan/accesses.hpp"

#include <algorithm>

namespace gyre::plan {

bool folds_within_points(const Sweep& sweep) {
  bool found = false;
  for_each_statement(sweep.body, [&](const Statement& statement) {
    for (const ir::Expr& expr : exprs_of(statement)) {
      found = found || (expr && ir::contains_fold(expr));
    }
  });
  return found;
}

bool may_share_points(const Plan& plan, const Sweep& sweep) {
  if (!reductions_fed(sweep).empty() || !folds_within_points(sweep)) return false;
  const Accesses accesses = accesses_of(plan, sweep);
  return std::none_of(accesses.loads.begin(), accesses.loads.end(),
                      [&](ir::SymbolId buffer) { return accesses.stores.contains(buffer); });
}

unsigned choose_lanes(ir::Team wanted, std::optional<std::int64_t> points,
                      std::optional<double> terms) {
  if (wanted == ir::Team::Warp) return warp_lanes;
  if (wanted == ir::Team::Block) return block_lanes;
  if (!terms) return 1;
  // Where the lines are is measured (docs/executors.md). Fewer terms than 4 a lane leave lanes
  // idle; where points are few, threads are idle anyway.
  const auto below = [&](std::int64_t most) { return points && *points < most; };
  if (*terms >= 1024 || (*terms >= 512 && below(1024))) return block_lanes;
  return *terms >= 128 || (*terms >= 32 && below(4096)) ? warp_lanes : 1;
}

}  // namespace gyre::plan
