#include "sharing.hpp"

#include "grid.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/teams.hpp"

#include <algorithm>
#include <optional>

namespace gyre::executors {
namespace {

bool is_of_sizes(const plan::Plan& plan, const ir::Expr& expr) {
  bool only = true;
  ir::for_each_expr(expr, [&](const ir::Expr& node) {
    const auto* read = ir::as<ir::Read>(node);
    only = only && (read == nullptr || plan[read->symbol].kind == ir::SymbolKind::Size);
    only = only && ir::as<ir::Load>(node) == nullptr && ir::as<ir::Fold>(node) == nullptr;
  });
  return only;
}

// Within a point a bound may also be the point's own: its index, what it defines, a fold.
bool is_known(const plan::Plan& plan, const ir::Range& range) {
  return is_of_sizes(plan, range.begin) && is_of_sizes(plan, range.end) &&
         (!range.step || is_of_sizes(plan, range.step));
}
bool is_known(const plan::Plan& plan, const ir::Fold& fold) {
  return std::all_of(fold.ranges.begin(), fold.ranges.end(),
                     [&](const ir::Range& range) { return is_known(plan, range); });
}

// Whether an element is read at a place that goes with the index, and not by way of another buffer.
bool goes_with(const ir::Load& load, ir::SymbolId index) {
  if (load.index.size() != 1) return false;
  bool goes = false;
  bool gathers = false;
  ir::for_each_expr(load.index[0], [&](const ir::Expr& node) {
    const auto* read = ir::as<ir::Read>(node);
    goes = goes || (read != nullptr && read->symbol == index);
    gathers = gathers || ir::as<ir::Load>(node) != nullptr;
  });
  return goes && !gathers;
}

// The terms of a fold within one of `points` points. Where its bounds are loaded, as those of a CSR
// row are, a buffer that is read along its index tells how many terms all points have together.
std::optional<double> terms_of(const plan::Plan& plan, const ir::Fold& fold,
                               std::optional<long long> points, const ir::Bound& bound) {
  if (is_known(plan, fold)) {
    const plan::Sweep terms_as_points{.ranges = fold.ranges, .body = {}};
    return static_cast<double>(points_of(plan, terms_as_points, bound).value());
  }
  if (!points || *points == 0 || fold.ranges.size() != 1) return std::nullopt;
  std::optional<double> terms;
  ir::for_each_expr(fold.operand, [&](const ir::Expr& node) {
    const auto* load = ir::as<ir::Load>(node);
    if (load == nullptr || !goes_with(*load, fold.ranges[0].index)) return;
    const auto elements = static_cast<double>(bound.buffer(load->buffer).element_count());
    terms = elements / static_cast<double>(*points);
  });
  return terms;
}

// The longest fold of some statements.
std::optional<double> terms_of(const plan::Plan& plan, const std::vector<plan::Statement>& body,
                               std::optional<long long> points, const ir::Bound& bound) {
  std::optional<double> most;
  plan::for_each_statement(body, [&](const plan::Statement& statement) {
    for (const ir::Expr& expr : plan::exprs_of(statement)) {
      if (!expr) continue;
      ir::for_each_expr(expr, [&](const ir::Expr& node) {
        const auto* fold = ir::as<ir::Fold>(node);
        const auto terms = fold != nullptr ? terms_of(plan, *fold, points, bound) : std::nullopt;
        if (terms) most = std::max(most.value_or(0), *terms);
      });
    }
  });
  return most;
}

// The longest fold that a thread of a team has for itself, in an inner foreach.
std::optional<double> terms_of_threads(const plan::Plan& plan, const plan::Sweep& sweep,
                                       const ir::Bound& bound) {
  std::optional<double> most;
  plan::for_each_statement(sweep.body, [&](const plan::Statement& statement) {
    const auto* over = std::get_if<plan::RepeatOver>(&statement.kind);
    if (over == nullptr || !over->shared) return;
    std::optional<long long> trips;
    if (is_known(plan, over->range)) {
      trips = points_of(plan, {.ranges = {over->range}, .body = {}}, bound);
    }
    const auto terms = terms_of(plan, over->body, trips, bound);
    if (terms) most = std::max(most.value_or(0), *terms);
  });
  return most;
}

}  // namespace

std::optional<double> terms_of(const plan::Plan& plan, const plan::Sweep& sweep,
                               const ir::Bound& bound) {
  return terms_of(plan, sweep.body, points_of(plan, sweep, bound), bound);
}

Sharing choose_sharing(const plan::Plan& plan, const plan::Sweep& sweep, const ir::Bound& bound,
                       const StageRoom& room) {
  Sharing sharing;
  if (plan::is_run_by_team(sweep)) {
    sharing.lanes = plan::choose_lanes(sweep.team, {}, {});
    const auto terms = terms_of_threads(plan, sweep, bound);
    if (terms.value_or(0) >= plan::long_fold) sharing.form = jit::FoldForm::Long;
    return sharing;
  }
  const auto points = points_of(plan, sweep, bound);
  const auto terms = terms_of(plan, sweep, bound);
  if (plan::may_share_points(plan, sweep)) {
    sharing.lanes = plan::choose_lanes(sweep.team, points, terms);
  }
  if (sharing.lanes == 1 && terms) {
    sharing.stage_elements = plan::choose_stage(*terms, room.bytes, room.shared_bytes);
  }
  if (sharing.stage_elements != 0) {
    sharing.form = jit::FoldForm::Staged;
  } else if (sharing.lanes > 1 || terms.value_or(0) >= plan::long_fold) {
    sharing.form = jit::FoldForm::Long;
  }
  return sharing;
}

}  // namespace gyre::executors
