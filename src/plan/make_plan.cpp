#include "gyre/plan/make_plan.hpp"

#include "carried_slots.hpp"
#include "copy_sweep.hpp"
#include "drop_clears.hpp"
#include "gyre/ir/constant_value.hpp"
#include "gyre/plan/accesses.hpp"
#include "lower_sweep.hpp"
#include "segment.hpp"
#include "select_arms.hpp"
#include "swaps.hpp"
#include "temp_lives.hpp"
#include "waiting_nodes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gyre::plan {
namespace {

class MakePlan {
 public:
  MakePlan(const ir::Program& program, const PlanSteps& steps)
      : steps_(steps), segment_(plan_, steps), symbols_(plan_, program), enclosing_(program.name) {
    plan_.name = program.name;
    plan_.fused = steps != no_steps;
    plan_.symbols = program.symbols;
    plan_.body = block(program.body);
    drop_dead_writes(plan_, live_);
    if (steps.drop_clears) drop_clears(plan_);
    if (steps.swaps) settle_swaps(plan_);
    plan_.temporaries = lives_.all();
  }

  Plan take() { return std::move(plan_); }

 private:
  // A block is a straight line from its start to its end: what waits outside was flushed before.
  Block block(const ir::Region& region) {
    Block made;
    Block* const outer = std::exchange(block_, &made);
    segment_.end();
    if (region) statement(region);
    end_line();
    block_ = outer;
    return made;
  }

  // As block; a copy that may stand last is a kernel of its own there.
  Block body_of(const ir::While& op, std::optional<WhileNode::Swap>& swap) {
    const auto* copy = steps_.swaps ? copy_for_the_end(op.body) : nullptr;
    if (copy == nullptr || !same_extents(plan_, std::get<ir::Copy>(copy->kind)))
      return block(op.body);
    Block made;
    Block* const outer = std::exchange(block_, &made);
    const auto* const outer_copy = std::exchange(late_copy_, copy);
    segment_.end();
    statement(op.body);
    end_line();
    late_copy_ = outer_copy;
    const auto& [to, from] = std::get<ir::Copy>(copy->kind);
    sweep(copy_sweep(plan_, symbols_, {to, from}), region_of(*copy), "");
    swap = {to, from, static_cast<std::uint32_t>(plan_.kernels.size() - 1)};
    end_line();
    block_ = outer;
    return made;
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
      if (const auto scalars = segment_.flush_before_write(op.symbol)) launch(*scalars);
      put(Clear{op.symbol}, {op.symbol});
    } else {
      compute(self, op.symbol, ir::make_literal(ir::Value::zero(symbol.type), symbol.loc));
    }
  }

  void lower(const ir::RegionNode& self, const ir::Let& op) { compute(self, op.symbol, op.value); }

  void lower(const ir::RegionNode& self, const ir::Assign& op) {
    GYRE_CHECK(!op.op, "a compound assignment came through expand_assignments");
    if (op.place.index.empty()) return compute(self, op.place.symbol, op.value);
    Store store{op.place.symbol, op.place.index, op.value, Store::Kind::Own};
    sweep({{}, {{std::move(store)}}, false}, region_of(self), "store");
  }

  void lower(const ir::RegionNode& self, const ir::Foreach& op) {
    LoweredBody body = lower_body(op.body, plan_);
    bool promised = op.independent;
    for_each_statement(body.statements, [&](const Statement& one) {
      const auto* store = std::get_if<Store>(&one.kind);
      promised = promised || (store != nullptr && store->kind == Store::Kind::Scatter);
    });
    sweep({op.ranges, std::move(body.statements), promised, op.team}, region_of(self), "");
    for (const OuterSum& sum : body.sums) {
      const ir::ScalarType type = plan_[sum.slot].type;
      const auto total =
          symbols_.slot(plan_[sum.slot].name + "_total", plan_.reductions[sum.reduction].type);
      add({Finish{total, sum.reduction}, region_of(self)});
      auto added = ir::make_apply(
          ir::Op::Add, {ir::make_read(sum.slot, type), ir::make_read(total, type)}, self.loc);
      add({Compute{sum.slot, std::move(added)}, region_of(self)});
    }
  }

  void lower(const ir::RegionNode& self, const ir::Call& op) {
    if (const auto scalars = segment_.flush()) launch(*scalars);
    live_.insert(op.arguments.begin(), op.arguments.end());
    put(RunCall{op.callee, op.arguments, region_of(self)}, op.arguments);
    if (op.callee->placement == ir::Placement::Host) end_line();
  }

  void lower(const ir::RegionNode& self, const ir::Copy& op) {
    if (&self == late_copy_) return;
    // In a loop a kernel can be switched off, and share its launch with others.
    if (steps_.swaps && loops_around_ > 0 && same_extents(plan_, op)) {
      return sweep(copy_sweep(plan_, symbols_, op), region_of(self), "");
    }
    if (const auto scalars = segment_.flush_before_write(op.to)) launch(*scalars);
    put(CopyBuffer{op.to, op.from, region_of(self)}, {op.to, op.from});
  }

  void select(const ir::Region& branch) {
    for (ArmPiece& piece : select_arms(plan_, symbols_, branch, enclosing_)) {
      if (auto* placed = std::get_if<PlacedSweep>(&piece)) {
        sweep(std::move(placed->sweep), placed->region, "");
      } else {
        const ScalarStep& step = std::get<ScalarStep>(piece);
        add(step);
        if (const auto value = value_of(step)) note_loads(value);
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
    emit(std::move(node));
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
    emit(std::move(node));
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
    const std::uint32_t start = lives_.begin_loop();
    ++loops_around_;
    within(self, [&] { node.body = std::make_unique<Block>(body_of(op, node.swap)); });
    --loops_around_;
    node.steady = carries_nothing(plan_, *node.body);
    lives_.end_loop(start);
    if (node.swap) {
      lives_.carry(node.swap->from, start);
      lives_.carry(node.swap->to, start);
    }
    emit(std::move(node));
  }

  // An arm without work is none, and one alone needs no fork.
  void lower(const ir::RegionNode& self, const ir::Fork& op) {
    end_line();
    ForkNode node{{}, self.path};
    const std::uint32_t start = lives_.begin_fork();
    within(self, [&] {
      for (const ir::Region& arm : op.arms) {
        lives_.begin_arm(static_cast<std::uint32_t>(node.arms.size()));
        node.arms.push_back(block(arm));
        if (node.arms.back().nodes.empty()) node.arms.pop_back();
      }
    });
    lives_.end_fork(start);
    if (node.arms.size() > 1) return emit(std::move(node));
    if (node.arms.empty()) return;
    auto& alone = node.arms.front().nodes;
    std::move(alone.begin(), alone.end(), std::back_inserter(block_->nodes));
  }

  void lower(const ir::RegionNode& self, const ir::Stop& op) {
    add({RecordStop{op.label, op.code}, region_of(self)});
  }

  void lower(const ir::RegionNode& self, const ir::CheckStep& op) {
    add({CheckStep{op.step}, region_of(self)});
  }

  void lower(const ir::RegionNode& self, const ir::CountTrips& op) {
    count_region(self.path, 0);
    add({CountTrips{op.trips}, region_of(self)});
  }

  template <class Other>
  void lower(const ir::RegionNode& self, const Other&) {
    GYRE_CHECK(false, "a statement that a pass should have lowered, in " + region_of(self));
  }

  void compute(const ir::RegionNode& self, ir::SymbolId slot, const ir::Expr& value) {
    const auto* fold = ir::as<ir::Fold>(value);
    if (fold == nullptr) {
      add({Compute{slot, value}, region_of(self)});
      return note_loads(value);
    }
    const auto number = static_cast<std::uint32_t>(plan_.reductions.size());
    // A copy: a bound that loads adds a symbol, and the names move.
    const std::string name = plan_[slot].name;
    plan_.reductions.push_back({fold->op, fold->operand->type, name});
    sweep({fold->ranges, {{Contribute{number, fold->operand}}}, false}, region_of(self), name);
    add({Finish{slot, number}, region_of(self)});
  }

  void sweep(Sweep made, const std::string& region, const std::string& what) {
    emit_waiting();
    for (std::size_t i = 0; i < made.ranges.size(); ++i) {
      name_loaded_bounds(made.ranges[i], region);
      if (fails_before_a_load(made.ranges, i)) add({CheckStep{made.ranges[i].step}, region});
    }
    const Accesses accesses = accesses_of(plan_, made);
    for (const std::uint32_t kernel : segment_.sweep(std::move(made), region, what)) launch(kernel);
    for (const ir::SymbolId buffer : accesses.loads) lives_.use(buffer);
    for (const ir::SymbolId buffer : accesses.stores) lives_.use(buffer);
    for (const ir::SymbolId buffer : segment_.waiting_loads()) lives_.use(buffer);
  }

  // A step of 0 is told before the bounds of the ranges behind it are read, which may fail as well.
  static bool fails_before_a_load(const std::vector<ir::Range>& ranges, std::size_t at) {
    const auto loads = [](const ir::Range& range) {
      return ir::contains_load(range.begin) || ir::contains_load(range.end) ||
             (range.step && ir::contains_load(range.step));
    };
    return ir::step_may_be_zero(ranges[at]) &&
           std::any_of(ranges.begin() + static_cast<std::ptrdiff_t>(at) + 1, ranges.end(), loads);
  }

  // Bounds are read before anything is stored; a block that read them late would see its sweep's
  // own stores.
  void name_loaded_bounds(ir::Range& range, const std::string& region) {
    for (ir::Expr* bound : {&range.begin, &range.end, &range.step}) {
      if (!*bound || !ir::contains_load(*bound)) continue;
      const auto slot = symbols_.slot(plan_[range.index].name + "_bound", (*bound)->type);
      add({Compute{slot, *bound}, region});
      note_loads(*bound);
      *bound = ir::make_read(slot, (*bound)->type, (*bound)->loc);
    }
  }

  // A branch reads its slot from memory, so that the line before it ends.
  ir::SymbolId slot_read(const ir::Expr& expr) {
    const auto* read = ir::as<ir::Read>(expr);
    GYRE_CHECK(read != nullptr, "a condition came through materialize_conditions");
    end_line();
    live_.insert(read->symbol);
    return read->symbol;
  }

  void end_line() {
    if (const auto scalars = segment_.flush()) launch(*scalars);
    emit_waiting();
    segment_.end();
  }

  void add(ScalarStep step) {
    if (!waiting_.may_be_overtaken_by(plan_, step)) emit_waiting();
    segment_.add(std::move(step));
  }

  // In program order where the order of faults has to be the program's.
  void put(Node node, std::vector<ir::SymbolId> symbols) {
    waiting_.add(std::move(node), std::move(symbols));
    if (!steps_.overtaking) emit_waiting();
  }

  void emit_waiting() {
    for (auto& [node, symbols] : waiting_.take()) {
      emit(std::move(node));
      for (const ir::SymbolId symbol : symbols) lives_.use(symbol);
    }
  }

  // Scalar work may have waited for its kernel while other temps came to life.
  void launch(std::uint32_t kernel) {
    emit(Launch{kernel});
    Accesses accesses;
    for (const ScalarStep& step : plan_.kernels[kernel].prologue) {
      add_reads(plan_, value_of(step), accesses);
    }
    for (const ir::SymbolId buffer : accesses.loads) lives_.use(buffer);
  }

  void emit(Node node) {
    if (std::holds_alternative<RunCall>(node)) {
      segment_.cut();
    } else if (!std::holds_alternative<Launch>(node)) {
      segment_.close();
    }
    lives_.advance();
    block_->nodes.push_back(std::move(node));
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

  void note_loads(const ir::Expr& value) {
    Accesses accesses;
    add_reads(plan_, value, accesses);
    // The step runs with the next kernel.
    lives_.advance();
    for (const ir::SymbolId buffer : accesses.loads) lives_.use(buffer);
  }

  const PlanSteps steps_;
  Plan plan_;
  Segment segment_;
  TempLives lives_{plan_};
  WaitingNodes waiting_;
  NewSymbols symbols_;
  Block* block_ = nullptr;
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
