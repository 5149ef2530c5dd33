#include "gyre/plan/teams.hpp"

#include "gyre/plan/accesses.hpp"
#include "gyre/plan/kernel_faults.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace gyre::plan {
namespace {

// How the threads of a team store to a buffer.
struct TeamStores {
  unsigned statements = 0;
  bool by_each_thread = false;
  bool by_each_thread_again = false;
};

class GatherTeamStores {
 public:
  void operator()(const std::vector<Statement>& body) {
    for (const Statement& statement : body) {
      std::visit([&](const auto& op) { add(op); }, statement.kind);
    }
  }

  std::map<ir::SymbolId, TeamStores> stores;

 private:
  void add(const Store& op) {
    TeamStores& of_buffer = stores[op.buffer];
    ++of_buffer.statements;
    of_buffer.by_each_thread = of_buffer.by_each_thread || is_shared_;
    of_buffer.by_each_thread_again = of_buffer.by_each_thread_again || (is_shared_ && is_in_loop_);
  }
  void add(const Choose& op) {
    (*this)(op.then);
    (*this)(op.otherwise);
  }
  void add(const Repeat& op) { loop(op.body); }
  void add(const RepeatOver& op) {
    if (!op.shared) return loop(op.body);
    is_shared_ = true;
    (*this)(op.body);
    is_shared_ = false;
  }
  template <class Other>
  void add(const Other&) {}

  // One around an inner foreach: within one each thread makes the trips by itself.
  void loop(const std::vector<Statement>& body) {
    const bool outside = is_in_loop_;
    is_in_loop_ = outside || !is_shared_;
    (*this)(body);
    is_in_loop_ = outside;
  }

  bool is_shared_ = false;
  bool is_in_loop_ = false;
};

}  // namespace

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
  return is_run_by_team(sweep) || (reductions_fed(sweep).empty() && folds_within_points(sweep) &&
                                   stored_and_loaded(plan, sweep).empty());
}

bool is_run_by_team(const Sweep& sweep) {
  if (sweep.team == ir::Team::Any || !reductions_fed(sweep).empty()) return false;
  bool has_inner_foreach = false;
  for_each_statement(sweep.body, [&](const Statement& statement) {
    const auto* over = std::get_if<RepeatOver>(&statement.kind);
    has_inner_foreach = has_inner_foreach || (over != nullptr && over->shared);
  });
  return (has_inner_foreach || folds_within_points(sweep)) && !shared_trips_may_fail(sweep);
}

std::set<ir::SymbolId> stored_and_loaded(const Plan& plan, const Sweep& sweep) {
  const Accesses accesses = accesses_of(plan, sweep);
  std::set<ir::SymbolId> both;
  std::set_intersection(accesses.loads.begin(), accesses.loads.end(), accesses.stores.begin(),
                        accesses.stores.end(), std::inserter(both, both.end()));
  return both;
}

std::set<ir::SymbolId> met_by_team(const Plan& plan, const Sweep& sweep) {
  std::set<ir::SymbolId> met = stored_and_loaded(plan, sweep);
  GatherTeamStores gather;
  gather(sweep.body);
  for (const auto& [buffer, stores] : gather.stores) {
    const bool is_stored_again = stores.statements > 1 || stores.by_each_thread_again;
    if (stores.by_each_thread && is_stored_again) met.insert(buffer);
  }
  return met;
}

unsigned choose_stage(double terms, unsigned bytes_per_term, std::size_t shared_bytes) {
  if (bytes_per_term == 0 || terms < long_fold || terms >= 128) return 0;
  // Room for a warp's rows, which are not all of the same length; with two blocks on a
  // multiprocessor one brings rows while the other folds. Each block has some shared memory
  // besides.
  const double wanted = std::ceil(terms * 1.05) * warp_lanes;
  constexpr unsigned besides = 2048;
  constexpr unsigned warps = block_lanes / warp_lanes;
  if (shared_bytes / 2 <= besides) return 0;
  const double most = static_cast<double>(shared_bytes / 2 - besides) / (warps * bytes_per_term);
  const double elements = std::min(wanted, most);
  return elements < terms ? 0 : static_cast<unsigned>(elements) / 4 * 4;
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
