#include "gyre/plan/touches.hpp"

#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"

namespace gyre::plan {
namespace {

bool reads_only_sizes(const Plan& plan, const ir::Expr& expr) {
  Accesses accesses;
  add_reads(plan, expr, accesses);
  return accesses.slots.empty() && accesses.loads.empty();
}

// A bound that is left out is alike only to another such one.
bool same_bound(const ir::Expr& a, const ir::Expr& b) {
  return a && b ? ir::same_expr(a, b) : !a && !b;
}

}  // namespace

bool is_own_place(const Sweep& sweep, const std::vector<ir::Expr>& index) {
  if (index.size() != sweep.ranges.size()) return false;
  for (std::size_t i = 0; i < index.size(); ++i) {
    const auto* read = ir::as<ir::Read>(index[i]);
    if (read == nullptr || read->symbol != sweep.ranges[i].index) return false;
  }
  return true;
}

bool have_same_bounds(const ir::Range& a, const ir::Range& b) {
  return same_bound(a.begin, b.begin) && same_bound(a.end, b.end) && same_bound(a.step, b.step);
}

std::map<ir::SymbolId, Touch> touches_of(const Sweep& sweep) {
  std::map<ir::SymbolId, Touch> found;
  const auto touch = [&](ir::SymbolId buffer, const std::vector<ir::Expr>& index) -> Touch& {
    Touch& one = found[buffer];
    one.own = one.own && is_own_place(sweep, index);
    return one;
  };
  for_each_statement(sweep.body, [&](const Statement& statement) {
    if (const auto* store = std::get_if<Store>(&statement.kind)) {
      Touch& one = touch(store->buffer, store->index);
      one.stores = true;
      one.stores_own = one.stores_own && store->kind != Store::Kind::ScatterAdd &&
                       is_own_place(sweep, store->index);
    }
    for (const ir::Expr& expr : exprs_of(statement)) {
      if (!expr) continue;
      ir::for_each_expr(expr, [&](const ir::Expr& node) {
        if (const auto* load = ir::as<ir::Load>(node)) {
          Touch& one = touch(load->buffer, load->index);
          one.loads = true;
          one.loads_own = one.loads_own || is_own_place(sweep, load->index);
        }
      });
    }
  });
  return found;
}

bool has_fixed_points(const Plan& plan, const Sweep& sweep) {
  bool fixed = true;
  for (const ir::Range& range : sweep.ranges) {
    for (const ir::Expr& bound : {range.begin, range.end, range.step}) {
      fixed = fixed && reads_only_sizes(plan, bound);
    }
  }
  return fixed;
}

bool have_same_points(const Plan& plan, const Sweep& a, const Sweep& b) {
  if (a.ranges.size() != b.ranges.size() || !has_fixed_points(plan, a)) return false;
  for (std::size_t i = 0; i < a.ranges.size(); ++i) {
    if (!have_same_bounds(a.ranges[i], b.ranges[i])) return false;
  }
  return true;
}

}  // namespace gyre::plan
