#include "fate.hpp"

#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/kernel_faults.hpp"

#include <algorithm>

namespace gyre::plan {
namespace {

bool loads(const ir::Expr& expr, ir::SymbolId buffer) {
  bool found = false;
  if (!expr) return false;
  ir::for_each_expr(expr, [&](const ir::Expr& node) {
    const auto* load = ir::as<ir::Load>(node);
    found = found || (load != nullptr && load->buffer == buffer);
  });
  return found;
}

class FateOf {
 public:
  FateOf(const Plan& plan, ir::SymbolId buffer)
      : plan_(plan), buffer_(buffer), is_temp_(plan[buffer].intent == ir::Intent::Temp) {}

  Fate of(const std::vector<Node>& nodes, std::size_t first) const {
    for (std::size_t i = first; i < nodes.size(); ++i) {
      const Fate fate = std::visit([&](const auto& node) { return of(node); }, nodes[i]);
      if (fate != Fate::Untouched) return fate;
    }
    return Fate::Untouched;
  }

 private:
  Fate of(const Block& block) const { return of(block.nodes, 0); }

  Fate of(const Launch& launch) const {
    const Kernel& kernel = plan_.kernels[launch.kernel];
    const auto read_by = [&](const std::vector<ScalarStep>& steps) {
      return std::any_of(steps.begin(), steps.end(),
                         [&](const ScalarStep& step) { return loads(value_of(step), buffer_); });
    };
    // Where the launch may end here, the caller sees what was there before.
    if (read_by(kernel.prologue) || (!is_temp_ && may_fault(kernel))) return Fate::Needed;
    const Fate fate = kernel.sweep ? of(*kernel.sweep) : Fate::Untouched;
    return fate == Fate::Untouched && read_by(kernel.epilogue) ? Fate::Needed : fate;
  }

  // Whole where each point stores its own place of as many as the buffer has, before it loads any.
  Fate of(const Sweep& sweep) const {
    const Accesses accesses = accesses_of(plan_, sweep);
    if (!accesses.loads.contains(buffer_) && !accesses.stores.contains(buffer_)) {
      return Fate::Untouched;
    }
    if (sweep.promised || !runs_over_all(sweep)) return Fate::Needed;
    std::vector<ir::Expr> own;
    for (const ir::Range& range : sweep.ranges) {
      own.push_back(ir::make_read(range.index, plan_[range.index].type));
    }
    bool stored = false;
    for (const Statement& statement : sweep.body) {
      const bool is_whole = stores_whole(statement, own);
      if (!stored && !is_whole && touches(statement)) return Fate::Needed;
      stored = stored || is_whole;
      if (stored && loads_elsewhere(statement, own)) return Fate::Needed;
    }
    return stored ? Fate::Overwritten : Fate::Needed;
  }

  // It may make no trip, which overwrites nothing.
  Fate of(const WhileNode& node) const {
    return of(*node.body) == Fate::Needed ? Fate::Needed : Fate::Untouched;
  }
  Fate of(const IfNode& node) const { return of_arms({of(*node.then), of(*node.otherwise)}); }
  Fate of(const SwitchNode& node) const {
    std::vector<Fate> arms;
    for (const Block& one : node.cases) arms.push_back(of(one));
    arms.push_back(of(*node.otherwise));
    return of_arms(arms);
  }
  // No arm touches what another one writes, so that one after the other is as good as at once.
  Fate of(const ForkNode& node) const {
    for (const Block& arm : node.arms) {
      const Fate fate = of(arm);
      if (fate != Fate::Untouched) return fate;
    }
    return Fate::Untouched;
  }
  static Fate of_arms(const std::vector<Fate>& arms) {
    if (std::find(arms.begin(), arms.end(), Fate::Needed) != arms.end()) return Fate::Needed;
    const bool all = std::find(arms.begin(), arms.end(), Fate::Untouched) == arms.end();
    return all ? Fate::Overwritten : Fate::Untouched;
  }

  Fate of(const Clear& clear) const {
    return clear.buffer == buffer_ ? Fate::Overwritten : Fate::Untouched;
  }
  Fate of(const CopyBuffer& copy) const {
    if (copy.from == buffer_) return Fate::Needed;
    return copy.to == buffer_ ? Fate::Overwritten : Fate::Untouched;
  }
  // Whole where the call says that it only writes it. Where it may throw instead, the caller sees
  // what was there before.
  Fate of(const RunCall& call) const {
    bool written = false;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      if (call.arguments[i] != buffer_) continue;
      if (call.callee->accesses[i] != ir::Access::Write) return Fate::Needed;
      written = true;
    }
    const bool may_throw = call.callee->placement == ir::Placement::Host;
    if (written && may_throw && !is_temp_) return Fate::Needed;
    return written ? Fate::Overwritten : Fate::Untouched;
  }

  // A store, or a choice both of whose sides are one.
  bool stores_whole(const Statement& statement, const std::vector<ir::Expr>& own) const {
    if (const auto* choose = std::get_if<Choose>(&statement.kind)) {
      return choose->then.size() == 1 && choose->otherwise.size() == 1 &&
             !loads(choose->condition, buffer_) && stores_whole(choose->then[0], own) &&
             stores_whole(choose->otherwise[0], own);
    }
    const auto* store = std::get_if<Store>(&statement.kind);
    return store != nullptr && store->buffer == buffer_ && store->kind == Store::Kind::Own &&
           same_places(store->index, own) && !loads(store->value, buffer_);
  }

  bool runs_over_all(const Sweep& sweep) const {
    const auto& extents = plan_[buffer_].extents;
    return std::equal(sweep.ranges.begin(), sweep.ranges.end(), extents.begin(), extents.end(),
                      [](const ir::Range& range, const ir::Expr& extent) {
                        const auto* begin = ir::as<ir::Literal>(range.begin);
                        return begin != nullptr && begin->value.as_integer() == 0 && !range.step &&
                               ir::same_expr(range.end, extent);
                      });
  }

  static bool same_places(const std::vector<ir::Expr>& a, const std::vector<ir::Expr>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), ir::same_expr);
  }

  bool touches(const Statement& statement) const {
    bool found = false;
    for_each_statement({statement}, [&](const Statement& one) {
      const auto* store = std::get_if<Store>(&one.kind);
      found = found || (store != nullptr && store->buffer == buffer_);
      for (const ir::Expr& expr : exprs_of(one)) found = found || loads(expr, buffer_);
    });
    return found;
  }

  // Another point's place may not be stored yet.
  bool loads_elsewhere(const Statement& statement, const std::vector<ir::Expr>& own) const {
    bool found = false;
    for_each_statement({statement}, [&](const Statement& one) {
      for (const ir::Expr& expr : exprs_of(one)) {
        if (!expr) continue;
        ir::for_each_expr(expr, [&](const ir::Expr& node) {
          const auto* load = ir::as<ir::Load>(node);
          found = found ||
                  (load != nullptr && load->buffer == buffer_ && !same_places(load->index, own));
        });
      }
    });
    return found;
  }

  const Plan& plan_;
  ir::SymbolId buffer_;
  bool is_temp_;
};

}  // namespace

Fate fate_of(const Plan& plan, ir::SymbolId buffer, const Block& block, std::size_t first) {
  return FateOf(plan, buffer).of(block.nodes, first);
}

}  // namespace gyre::plan
