#include "gyre/plan/make_plan.hpp"

#include "carried_slots.hpp"
#include "copy_sweep.hpp"
#include "drop_clears.hpp"
#include "gyre/ir/constant_value.hpp"
#include "gyre/plan/accesses.hpp"
#include "lower_sweep.hpp"
#include "plan_nodes.hpp"
#include "select_arms.hpp"
#include "swaps.hpp"

#include <utility>

namespace gyre::plan {
namespace {

class MakePlan {
 public:
  MakePlan(const ir::Program& program, const PlanSteps& steps)
      : steps_(steps),
        symbols_(plan_, program),
        nodes_(plan_, symbols_, steps),
        enclosing_(program.name) {
    plan_.name = program.name;
    plan_.fused = steps != no_steps;
    plan_.symbols = program.symbols;
    plan_.body = block(program.body);
    drop_dead_writes(plan_, live_);
    if (steps.drop_clears) drop_clears(plan_);
    if (steps.swaps) settle_swaps(plan_);
    plan_.temporaries = nodes_.lives().all();
  }

  Plan take() { return std::move(plan_); }

 private:
  Block block(const ir::Region& region) {
    return nodes_.block([&] {
      if (region) statement(region);
    });
  }

  // As block; a copy that may stand last is a kernel of its own there.
  Block body_of(const ir::While& op, std::optional<WhileNode::Swap>& swap) {
    const auto* copy = steps_.swaps ? copy_for_the_end(op.body) : nullptr;
    if (copy == nullptr || !same_extents(plan_, std::get<ir::Copy>(copy->kind)))
      return block(op.body);
    return nodes_.block([&] {
      const auto* const outer_copy = std::exchange(late_copy_, copy);
      statement(op.body);
      nodes_.end_line();
      late_copy_ = outer_copy;
      const auto& [to, from] = std::get<ir::Copy>(copy->kind);
      nodes_.sweep(copy_sweep(plan_, symbols_, {to, from}), region_of(*copy), "");
      swap = {to, from, static_cast<std::uint32_t>(plan_.kernels.size() - 1)};
    });
  }

  std::unique_ptr<Block> boxed(const ir::Region& region) {
    return std::make_unique<Block>(block(region));
  }

  void statement(const ir::Region& region) {
    std::visit([&](const auto& kind) { lower(*region, kind); }, region->kind);
  }

  const std::string& region_of(const ir::RegionNode& self) const {
    return self.path.empty() ? enclosing_ : self.path;
  }

  void lower(const ir::RegionNode&, const ir::Seq& seq) {
    for (const ir::Region& item : seq.items) statement(item);
  }

  void lower(const ir::RegionNode& self, const ir::Declare& op) {
    const ir::Symbol& symbol = plan_[op.symbol];
    const bool ours = symbol.intent == ir::Intent::Temp || symbol.intent == ir::Intent::Var ||
                      symbol.intent == ir::Intent::Out;
    if (!ours) return;
    if (symbol.scratch) return;
    if (symbol.kind == ir::SymbolKind::Buffer) {
      nodes_.flush_before_write(op.symbol);
      nodes_.put(Clear{op.symbol}, {op.symbol});
    } else {
      compute(self, op.symbol, ir::make_literal(ir::Value::zero(symbol.type), symbol.loc));
    }
  }

  void lower(const ir::RegionNode& self, const ir::Let& op) { compute(self, op.symbol, op.value); }

  void lower(const ir::RegionNode& self, const ir::Assign& op) {
    GYRE_CHECK(!op.op, "a compound assignment came through expand_assignments");
    if (op.place.index.empty()) return compute(self, op.place.symbol, op.value);
    Store store{op.place.symbol, op.place.index, op.value, Store::Kind::Own};
    nodes_.sweep({{}, {{std::move(store)}}, false}, region_of(self), "store");
  }

  void lower(const ir::RegionNode& self, const ir::Foreach& op) {
    LoweredBody body = lower_body(op.body, plan_);
    bool promised = op.independent;
    for_each_statement(body.statements, [&](const Statement& one) {
      const auto* store = std::get_if<Store>(&one.kind);
      promised = promised || (store != nullptr && store->kind == Store::Kind::Scatter);
    });
    nodes_.sweep({op.ranges, std::move(body.statements), promised, op.team}, region_of(self), "");
    for (const OuterSum& sum : body.sums) {
      const ir::ScalarType type = plan_[sum.slot].type;
      const auto total =
          symbols_.slot(plan_[sum.slot].name + "_total", plan_.reductions[sum.reduction].type);
      nodes_.add({Finish{total, sum.reduction}, region_of(self)});
      auto added = ir::make_apply(
          ir::Op::Add, {ir::make_read(sum.slot, type), ir::make_read(total, type)}, self.loc);
      nodes_.add({Compute{sum.slot, std::move(added)}, region_of(self)});
    }
  }

  void lower(const ir::RegionNode& self, const ir::Call& op) {
    nodes_.flush();
    live_.insert(op.arguments.begin(), op.arguments.end());
    nodes_.put(RunCall{op.callee, op.arguments, region_of(self)}, op.arguments);
    if (op.callee->placement == ir::Placement::Host) nodes_.end_line();
  }

  void lower(const ir::RegionNode& self, const ir::Copy& op) {
    if (&self == late_copy_) return;
    // In a loop a kernel can be switched off, and share its launch with others.
    if (steps_.swaps && loops_around_ > 0 && same_extents(plan_, op)) {
      return nodes_.sweep(copy_sweep(plan_, symbols_, op), region_of(self), "");
    }
    nodes_.flush_before_write(op.to);
    nodes_.put(CopyBuffer{op.to, op.from, region_of(self)}, {op.to, op.from});
  }

  void select(const ir::Region& branch) {
    for (ArmPiece& piece : select_arms(plan_, symbols_, branch, enclosing_)) {
      if (auto* placed = std::get_if<PlacedSweep>(&piece)) {
        nodes_.sweep(std::move(placed->sweep), placed->region, "");
      } else {
        const ScalarStep& step = std::get<ScalarStep>(piece);
        nodes_.add(step, value_of(step));
      }
    }
  }

  void lower(const ir::RegionNode& self, const ir::If& op) {
    if (steps_.select_arms && can_select_arms(plan_, op)) {
      // A node of the same kind: select_arms looks into regions.
      return select(ir::make_region(op, self.loc, self.path));
    }
    IfNode node{slot_read(op.condition), nullptr, nullptr, self.path};
    count_region(self.path, 2);
    within(self, [&] {
      node.then = boxed(op.then);
      node.otherwise = boxed(op.otherwise);
    });
    nodes_.branch(std::move(node));
  }

  void lower(const ir::RegionNode& self, const ir::Switch& op) {
    SwitchNode node;
    node.selector = slot_read(op.selector);
    node.region = self.path;
    count_region(self.path, static_cast<std::uint32_t>(op.cases.size() + 1));
    within(self, [&] {
      for (const ir::Case& one : op.cases) {
        node.labels.push_back(one.labels);
        node.cases.push_back(block(one.body));
      }
      node.otherwise = boxed(op.otherwise);
    });
    nodes_.branch(std::move(node));
  }

  void lower(const ir::RegionNode& self, const ir::While& op) {
    WhileNode node;
    node.predicate = slot_read(op.condition);
    node.region = self.path;
    if (const auto* constant = ir::as<ir::Literal>(op.limit)) {
      node.constant_limit = constant->value.as_integer();
    } else if (op.limit) {
      node.limit = slot_read(op.limit);
    }
    if (const auto trips = op.expect ? ir::constant_value(op.expect) : std::nullopt) {
      node.expect = trips->as_integer();
      node.counted = op.counted;
    }
    count_region(self.path, 0);
    const std::uint32_t start = nodes_.lives().begin_loop();
    ++loops_around_;
    within(self, [&] { node.body = std::make_unique<Block>(body_of(op, node.swap)); });
    --loops_around_;
    node.steady = carries_nothing(plan_, *node.body);
    nodes_.lives().end_loop(start);
    if (node.swap) {
      nodes_.lives().carry(node.swap->from, start);
      nodes_.lives().carry(node.swap->to, start);
    }
    nodes_.branch(std::move(node));
  }

  // An arm without work is none, and one alone needs no fork.
  void lower(const ir::RegionNode& self, const ir::Fork& op) {
    nodes_.end_line();
    ForkNode node{{}, self.path};
    const std::uint32_t start = nodes_.lives().begin_fork();
    within(self, [&] {
      for (const ir::Region& arm : op.arms) {
        nodes_.lives().begin_arm(static_cast<std::uint32_t>(node.arms.size()));
        node.arms.push_back(block(arm));
        if (node.arms.back().nodes.empty()) node.arms.pop_back();
      }
    });
    nodes_.lives().end_fork(start);
    if (node.arms.size() > 1) return nodes_.branch(std::move(node));
    if (node.arms.empty()) return;
    nodes_.splice(std::move(node.arms.front()));
  }

  void lower(const ir::RegionNode& self, const ir::Stop& op) {
    nodes_.add({RecordStop{op.label, op.code}, region_of(self)});
  }

  void lower(const ir::RegionNode& self, const ir::CheckStep& op) {
    nodes_.add({CheckStep{op.step}, region_of(self)});
  }

  void lower(const ir::RegionNode& self, const ir::CountTrips& op) {
    count_region(self.path, 0);
    nodes_.add({CountTrips{op.trips}, region_of(self)});
  }

  template <class Other>
  void lower(const ir::RegionNode& self, const Other&) {
    GYRE_CHECK(false, "a statement that a pass should have lowered, in " + region_of(self));
  }

  void compute(const ir::RegionNode& self, ir::SymbolId slot, const ir::Expr& value) {
    const auto* fold = ir::as<ir::Fold>(value);
    if (fold == nullptr) {
      return nodes_.add({Compute{slot, value}, region_of(self)}, value);
    }
    const auto number = static_cast<std::uint32_t>(plan_.reductions.size());
    // A copy: a bound that loads adds a symbol, and the names move.
    const std::string name = plan_[slot].name;
    plan_.reductions.push_back({fold->op, fold->operand->type, name});
    nodes_.sweep({fold->ranges, {{Contribute{number, fold->operand}}}, false}, region_of(self),
                 name);
    nodes_.add({Finish{slot, number}, region_of(self)});
  }

  // A branch reads its slot from memory, so that the line before it ends.
  ir::SymbolId slot_read(const ir::Expr& expr) {
    const auto* read = ir::as<ir::Read>(expr);
    GYRE_CHECK(read != nullptr, "a condition came through materialize_conditions");
    nodes_.end_line();
    live_.insert(read->symbol);
    return read->symbol;
  }

  template <class Body>
  void within(const ir::RegionNode& self, Body body) {
    const std::string outer = enclosing_;
    if (!self.path.empty()) enclosing_ = self.path;
    body();
    enclosing_ = outer;
  }

  void count_region(const std::string& path, std::uint32_t arms) {
    if (!path.empty()) plan_.regions.push_back({path, arms});
  }

  const PlanSteps steps_;
  Plan plan_;
  NewSymbols symbols_;
  PlanNodes nodes_;
  std::string enclosing_;
  Symbols live_;
  std::uint32_t loops_around_ = 0;
  /// The copy that waits for the end of its loop's body.
  const ir::RegionNode* late_copy_ = nullptr;
};

}  // namespace

Plan make_plan(const ir::Program& program, const PlanSteps& steps) {
  return MakePlan(program, steps).take();
}

}  // namespace gyre::plan
