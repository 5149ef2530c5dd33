#include "fuse_sweeps.hpp"

#include "gyre/ir/rewriter.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/touches.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace gyre::plan {
namespace {

using Index = std::vector<ir::Expr>;

bool same_index(const Index& a, const Index& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), ir::same_expr);
}

bool same_points(const Plan& plan, const Sweep& first, const Sweep& second) {
  return std::equal(first.ranges.begin(), first.ranges.end(), second.ranges.begin(),
                    second.ranges.end(), [&](const ir::Range& a, const ir::Range& b) {
                      return plan[a.index].type == plan[b.index].type && have_same_bounds(a, b);
                    });
}

/// A body with the indices of other ranges.
class RenameIndices : private ir::Rewriter {
 public:
  RenameIndices(const std::vector<ir::Range>& from, const std::vector<ir::Range>& to) {
    for (std::size_t i = 0; i < from.size(); ++i) names_.emplace(from[i].index, to[i].index);
  }

  std::vector<Statement> operator()(const std::vector<Statement>& body) {
    std::vector<Statement> renamed;
    for (const Statement& one : body) {
      renamed.push_back(
          std::visit([&](const auto& op) { return Statement{rename(op)}; }, one.kind));
    }
    return renamed;
  }

 private:
  using ir::Rewriter::visit;
  ir::Expr visit(const ir::Expr& self, const ir::Read& read) override {
    const auto name = names_.find(read.symbol);
    return name == names_.end() ? self : ir::make_read(name->second, self->type, self->loc);
  }

  Define rename(const Define& op) { return {op.local, rewrite(op.value)}; }
  Set rename(const Set& op) { return {op.local, rewrite(op.value)}; }
  Store rename(const Store& op) {
    return {op.buffer, rewrite_all(op.index), rewrite(op.value), op.kind};
  }
  Contribute rename(const Contribute& op) { return {op.reduction, rewrite(op.value)}; }
  Choose rename(const Choose& op) {
    return {rewrite(op.condition), (*this)(op.then), (*this)(op.otherwise), op.region};
  }
  Repeat rename(const Repeat& op) {
    return {rewrite(op.condition), (*this)(op.body), op.test_last, rewrite(op.limit), op.region};
  }
  RepeatOver rename(const RepeatOver& op) {
    return {rewrite_range(op.range), (*this)(op.body), op.region, op.shared};
  }
  static Leave rename(const Leave& op) { return op; }
  static NextTrip rename(const NextTrip& op) { return op; }

  std::map<ir::SymbolId, ir::SymbolId> names_;
};

/// At which places a body touches each buffer.
struct Places {
  std::map<ir::SymbolId, std::vector<Index>> loads;
  std::map<ir::SymbolId, std::vector<Index>> stores;
};

Places places_of(const std::vector<Statement>& body) {
  Places places;
  for_each_statement(body, [&](const Statement& statement) {
    if (const auto* store = std::get_if<Store>(&statement.kind)) {
      places.stores[store->buffer].push_back(store->index);
    }
    for (const ir::Expr& expr : exprs_of(statement)) {
      if (!expr) continue;
      ir::for_each_expr(expr, [&](const ir::Expr& node) {
        const auto* load = ir::as<ir::Load>(node);
        if (load != nullptr) places.loads[load->buffer].push_back(load->index);
      });
    }
  });
  return places;
}

bool all_at(const std::map<ir::SymbolId, std::vector<Index>>& places, ir::SymbolId buffer,
            const Index& place) {
  const auto found = places.find(buffer);
  return found == places.end() ||
         std::all_of(found->second.begin(), found->second.end(),
                     [&](const Index& one) { return same_index(one, place); });
}

// What one stores the other touches at that place alone, which is the point's own.
bool keeps_apart(const Places& one, const Places& other) {
  return std::all_of(one.stores.begin(), one.stores.end(), [&](const auto& stored) {
    const auto& [buffer, places] = stored;
    const bool is_shared = other.loads.contains(buffer) || other.stores.contains(buffer);
    return !is_shared || (all_at(one.stores, buffer, places.front()) &&
                          all_at(other.loads, buffer, places.front()) &&
                          all_at(other.stores, buffer, places.front()));
  });
}

bool only_stores_at_own_places(const Sweep& sweep) {
  bool only = !sweep.promised;
  for_each_statement(sweep.body, [&](const Statement& statement) {
    const auto* store = std::get_if<Store>(&statement.kind);
    only = only && (store == nullptr || store->kind == Store::Kind::Own);
  });
  return only;
}

// A jump that leaves the point itself would leave the second body out as well.
bool leaves_point(const std::vector<Statement>& body) {
  return std::any_of(body.begin(), body.end(), [](const Statement& statement) {
    if (const auto* choose = std::get_if<Choose>(&statement.kind)) {
      return leaves_point(choose->then) || leaves_point(choose->otherwise);
    }
    return std::holds_alternative<Leave>(statement.kind) ||
           std::holds_alternative<NextTrip>(statement.kind);
  });
}

}  // namespace

bool may_join_points(const Sweep& sweep) {
  return only_stores_at_own_places(sweep) && !may_fault(sweep) && !leaves_point(sweep.body);
}

std::optional<std::vector<Statement>> body_over_same_points(const Plan& plan, const Sweep& sweep,
                                                            const Sweep& other) {
  if (sweep.team != other.team || !same_points(plan, sweep, other)) return std::nullopt;
  return RenameIndices(other.ranges, sweep.ranges)(other.body);
}

std::optional<Sweep> fuse_sweeps(const Plan& plan, const Sweep& first, const Sweep& second) {
  auto second_body = body_over_same_points(plan, first, second);
  if (!second_body || !may_join_points(first) || !may_join_points(second)) return std::nullopt;
  std::vector<Statement>& body = *second_body;
  // A single point keeps the order of the program by itself.
  const Places before = places_of(first.body);
  const Places after = places_of(body);
  if (!first.ranges.empty() && !(keeps_apart(before, after) && keeps_apart(after, before))) {
    return std::nullopt;
  }
  Sweep fused = first;
  fused.body.insert(fused.body.end(), std::make_move_iterator(body.begin()),
                    std::make_move_iterator(body.end()));
  return fused;
}

}  // namespace gyre::plan
