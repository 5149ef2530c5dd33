#include "select_arms.hpp"

#include "fuse_sweeps.hpp"
#include "gyre/base/error.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/touches.hpp"
#include "lower_sweep.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace gyre::plan {
namespace {

/// More sweeps would cost more where their arm is not taken than a conditional node does.
constexpr int most_sweeps_of_an_arm = 2;

// A sum into a scalar from outside needs every point to have its say.
bool has_outer_sum(const ir::Region& body) {
  std::set<ir::SymbolId> own;
  bool found = false;
  ir::for_each_region(body, [&](const ir::Region& region) {
    if (const auto* declare = ir::as<ir::Declare>(region)) own.insert(declare->symbol);
    const auto* assign = ir::as<ir::Assign>(region);
    const bool is_scalar = assign != nullptr && assign->place.index.empty();
    found = found || (is_scalar && !own.contains(assign->place.symbol));
  });
  return found;
}

Sweep sweep_of(Plan& plan, const ir::Foreach& op) {
  return {op.ranges, lower_body(op.body, plan).statements, op.independent, op.team};
}

// Counts the sweeps; a number past the most where something else stands there.
int sweeps_of(Plan& plan, const ir::Region& region) {
  constexpr int too_many = most_sweeps_of_an_arm + 1;
  if (!region) return 0;
  if (const auto* seq = ir::as<ir::Seq>(region)) {
    int count = 0;
    for (const ir::Region& item : seq->items) count += sweeps_of(plan, item);
    return std::min(count, too_many);
  }
  if (const auto* choice = ir::as<ir::If>(region)) {
    return std::min(sweeps_of(plan, choice->then) + sweeps_of(plan, choice->otherwise), too_many);
  }
  if (const auto* foreach = ir::as<ir::Foreach>(region)) {
    if (foreach->independent || has_outer_sum(foreach->body)) return too_many;
    // A bound that is no size may be nonsense where the arm is not taken.
    const Sweep sweep = sweep_of(plan, *foreach);
    return has_fixed_points(plan, sweep) && may_join_points(sweep) ? 1 : too_many;
  }
  bool is_scalar_work = false;
  if (const auto* let = ir::as<ir::Let>(region)) is_scalar_work = !ir::contains_fold(let->value);
  if (const auto* assign = ir::as<ir::Assign>(region)) {
    is_scalar_work = assign->place.index.empty() && !ir::contains_fold(assign->value);
  }
  if (const auto* stop = ir::as<ir::Stop>(region)) {
    is_scalar_work = !stop->code || !ir::contains_fold(stop->code);
  }
  return is_scalar_work ? 0 : too_many;
}

ir::Expr select(const ir::Expr& condition, const ir::Expr& then, const ir::Expr& otherwise) {
  return ir::make_apply(ir::Op::Select, {condition, then, otherwise}, then->loc);
}

class SelectArms {
 public:
  SelectArms(Plan& plan, NewSymbols& symbols, std::string enclosing)
      : plan_(plan), symbols_(symbols), region_(std::move(enclosing)) {}

  // `when`: whether the branch itself is come by; null: always.
  void branch(const ir::Region& self, const ir::Expr& when) {
    const auto& op = *ir::as<ir::If>(self);
    const std::string outer = region_;
    if (!self->path.empty()) region_ = self->path;
    const auto then = taken("taken", op.condition, when);
    const auto otherwise =
        taken("passed_by", ir::make_apply(ir::Op::Not, {op.condition}, self->loc), when);
    if (!self->path.empty()) count_arms(*self, then, otherwise);
    arms(op, then, otherwise);
    region_ = outer;
  }

  std::vector<ArmPiece> take() { return std::move(pieces_); }

 private:
  ir::Expr taken(const char* name, const ir::Expr& holds, const ir::Expr& when) {
    const auto slot = symbols_.slot(name, ir::ScalarType::Bool);
    const auto never = ir::make_literal(ir::Value(false), holds->loc);
    compute(slot, when ? select(when, holds, never) : holds);
    return ir::make_read(slot, ir::ScalarType::Bool, holds->loc);
  }

  void count_arms(const ir::RegionNode& self, const ir::Expr& then, const ir::Expr& otherwise) {
    plan_.regions.push_back({self.path, 2});
    const auto number = [&](int arm) {
      return ir::make_literal(ir::Value(std::int32_t{arm}), self.loc);
    };
    step(CountArm{select(then, number(0), select(otherwise, number(1), number(2)))});
  }

  // Where each arm has one sweep, over the same points, these are the two sides of one choice.
  void arms(const ir::If& op, const ir::Expr& then, const ir::Expr& otherwise) {
    const std::vector<ir::Region> one = items_of(op.then);
    const std::vector<ir::Region> other = items_of(op.otherwise);
    const auto first = only_sweep(one);
    const auto second = only_sweep(other);
    auto sides = first && second ? both_sides(*one[*first], *other[*second], then) : std::nullopt;
    for (std::size_t i = 0; i < one.size(); ++i) {
      if (!sides || i < *first) statements(one[i], then);
    }
    for (std::size_t i = 0; i < other.size(); ++i) {
      if (!sides || i < *second) statements(other[i], otherwise);
    }
    if (!sides) return;
    pieces_.emplace_back(PlacedSweep{std::move(*sides), region_});
    for (std::size_t i = *first + 1; i < one.size(); ++i) statements(one[i], then);
    for (std::size_t i = *second + 1; i < other.size(); ++i) statements(other[i], otherwise);
  }

  std::optional<Sweep> both_sides(const ir::RegionNode& one, const ir::RegionNode& other,
                                  const ir::Expr& then) {
    Sweep made = sweep_of(plan_, std::get<ir::Foreach>(one.kind));
    const Sweep second = sweep_of(plan_, std::get<ir::Foreach>(other.kind));
    auto otherwise = body_over_same_points(plan_, made, second);
    if (!otherwise) return std::nullopt;
    made.body = {{Choose{then, std::move(made.body), std::move(*otherwise), ""}}};
    return made;
  }

  static std::vector<ir::Region> items_of(const ir::Region& arm) {
    if (!arm) return {};
    const auto* seq = ir::as<ir::Seq>(arm);
    return seq == nullptr ? std::vector<ir::Region>{arm} : seq->items;
  }

  // The place of an arm's sweep, if it has one and no branch that may hold another.
  static std::optional<std::size_t> only_sweep(const std::vector<ir::Region>& items) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const bool is_sweep = ir::as<ir::Foreach>(items[i]) != nullptr;
      const bool is_simple =
          ir::as<ir::If>(items[i]) == nullptr && ir::as<ir::Seq>(items[i]) == nullptr;
      if (!is_simple || (is_sweep && found)) return std::nullopt;
      if (is_sweep) found = i;
    }
    return found;
  }

  void statements(const ir::Region& region, const ir::Expr& when) {
    if (!region) return;
    if (ir::as<ir::If>(region) != nullptr) return branch(region, when);
    if (const auto* seq = ir::as<ir::Seq>(region)) {
      for (const ir::Region& item : seq->items) statements(item, when);
    } else if (const auto* foreach = ir::as<ir::Foreach>(region)) {
      Sweep made = sweep_of(plan_, *foreach);
      made.body = {{Choose{when, std::move(made.body), {}, ""}}};
      pieces_.emplace_back(PlacedSweep{std::move(made), region->path});
    } else if (const auto* stop = ir::as<ir::Stop>(region)) {
      // Its arithmetic is of its own type.
      const ir::ScalarType type = stop->code ? stop->code->type : ir::ScalarType::I32;
      const auto zero = ir::make_literal(ir::Value::zero(type), region->loc);
      step(RecordStop{stop->label, select(when, stop->code ? stop->code : zero, zero),
                      ir::as<ir::Read>(when)->symbol});
    } else if (const auto* let = ir::as<ir::Let>(region)) {
      const auto unused = ir::make_literal(ir::Value::zero(plan_[let->symbol].type), region->loc);
      compute(let->symbol, select(when, let->value, unused));
    } else {
      const auto& place = ir::as<ir::Assign>(region)->place;
      const auto old = ir::make_read(place.symbol, plan_[place.symbol].type, region->loc);
      compute(place.symbol, select(when, ir::as<ir::Assign>(region)->value, old));
    }
  }

  void compute(ir::SymbolId slot, ir::Expr value) { step(Compute{slot, std::move(value)}); }
  template <class Kind>
  void step(Kind kind) {
    pieces_.emplace_back(ScalarStep{std::move(kind), region_});
  }

  Plan& plan_;
  NewSymbols& symbols_;
  std::string region_;
  std::vector<ArmPiece> pieces_;
};

}  // namespace

bool can_select_arms(Plan& plan, const ir::If& branch) {
  return sweeps_of(plan, branch.then) <= most_sweeps_of_an_arm &&
         sweeps_of(plan, branch.otherwise) <= most_sweeps_of_an_arm;
}

std::vector<ArmPiece> select_arms(Plan& plan, NewSymbols& symbols, const ir::Region& branch,
                                  const std::string& enclosing) {
  SelectArms select(plan, symbols, enclosing);
  select.branch(branch, nullptr);
  return select.take();
}

}  // namespace gyre::plan
