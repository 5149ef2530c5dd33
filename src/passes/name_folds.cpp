#include "gyre/passes/name_folds.hpp"

#include "gyre/passes/pass.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace gyre::passes {
namespace {

using ir::Op;

class NameFolds final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  // Within a foreach a fold is inner: part of the kernel. Its bounds are read outside.
  ir::Region visit(const ir::Region& self, const ir::Foreach& foreach) override {
    std::vector<ir::Region> before;
    auto ranges = foreach.ranges;
    for (ir::Range& range : ranges) hoist_bounds(range, self->path, before);
    if (before.empty()) return self;
    before.push_back(ir::make_region(
        ir::Foreach{std::move(ranges), foreach.independent, foreach.body, foreach.team}, self->loc,
        self->path));
    return ir::make_seq(std::move(before), self->loc);
  }

  ir::Region visit(const ir::Region& self, const ir::Let& op) override {
    std::vector<ir::Region> before;
    auto value = hoist_below_root(op.value, self->path, before);
    return with(before, self, ir::Let{op.symbol, std::move(value)});
  }

  ir::Region visit(const ir::Region& self, const ir::Assign& op) override {
    std::vector<ir::Region> before;
    ir::Assign out = op;
    // A fold may stand alone only where its finish goes into a slot.
    out.value = op.place.index.empty() ? hoist_below_root(op.value, self->path, before)
                                       : hoist(op.value, self->path, before);
    for (ir::Expr& index : out.place.index) index = hoist(index, self->path, before);
    return with(before, self, std::move(out));
  }

  ir::Region visit(const ir::Region& self, const ir::Stop& op) override {
    if (!op.code) return self;
    std::vector<ir::Region> before;
    auto code = hoist(op.code, self->path, before);
    return with(before, self, ir::Stop{op.label, std::move(code)});
  }

 private:
  // The hoisted part and the statement share the enclosing scope: a Seq of its own would end the
  // life of what the statement declares.
  static ir::Region with(std::vector<ir::Region>& before, const ir::Region& self,
                         ir::RegionKind statement) {
    if (before.empty()) return self;
    before.push_back(ir::make_region(std::move(statement), self->loc, self->path));
    return ir::make_seq(std::move(before), self->loc);
  }

  void hoist_bounds(ir::Range& range, const std::string& path, std::vector<ir::Region>& before) {
    range.begin = hoist(range.begin, path, before);
    range.end = hoist(range.end, path, before);
    if (range.step) range.step = hoist(range.step, path, before);
  }

  ir::Expr hoist_below_root(const ir::Expr& expr, const std::string& path,
                            std::vector<ir::Region>& before) {
    const auto* fold = ir::as<ir::Fold>(expr);
    if (fold == nullptr) return hoist(expr, path, before);
    auto ranges = fold->ranges;
    for (ir::Range& range : ranges) hoist_bounds(range, path, before);
    return ir::make_fold(fold->op, std::move(ranges), fold->operand, expr->loc);
  }

  // `expr` without folds; what it needs first goes to `before`.
  ir::Expr hoist(const ir::Expr& expr, const std::string& path, std::vector<ir::Region>& before) {
    if (!ir::contains_fold(expr)) return expr;
    if (ir::as<ir::Fold>(expr) != nullptr) {
      const auto folded = add_let("folded", expr->type);
      auto alone = hoist_below_root(expr, path, before);
      before.push_back(let(folded, std::move(alone), path));
      return read(folded);
    }
    if (const auto* apply = ir::as<ir::Apply>(expr)) return hoist_apply(expr, *apply, path, before);
    if (const auto* cast = ir::as<ir::Cast>(expr)) {
      return rebuilt(expr, ir::Cast{hoist(cast->operand, path, before), cast->implicit});
    }
    auto load = std::get<ir::Load>(expr->kind);
    for (ir::Expr& index : load.index) index = hoist(index, path, before);
    return rebuilt(expr, std::move(load));
  }

  ir::Expr hoist_apply(const ir::Expr& expr, const ir::Apply& apply, const std::string& path,
                       std::vector<ir::Region>& before) {
    const auto& operands = apply.operands;
    const bool lazy = apply.op == Op::And || apply.op == Op::Or || apply.op == Op::Select;
    bool chosen_folds = false;
    for (std::size_t i = 1; lazy && i < operands.size(); ++i) {
      chosen_folds = chosen_folds || ir::contains_fold(operands[i]);
    }
    if (chosen_folds) return choose(expr, apply, path, before);
    ir::Apply out = apply;
    for (ir::Expr& operand : out.operands) operand = hoist(operand, path, before);
    return rebuilt(expr, std::move(out));
  }

  // Only the side that is chosen may be computed: the choice becomes a branch.
  ir::Expr choose(const ir::Expr& expr, const ir::Apply& apply, const std::string& path,
                  std::vector<ir::Region>& before) {
    const auto& operands = apply.operands;
    const auto chosen = add_var("chosen", expr->type);
    auto test = hoist(operands[0], path, before);
    before.push_back(declare(chosen));
    if (apply.op == Op::Select) {
      const auto holds = add_let("holds", ir::ScalarType::Bool);
      before.push_back(let(holds, std::move(test), path));
      before.push_back(ir::make_region(
          ir::If{read(holds), side(chosen, operands[1], path), side(chosen, operands[2], path)}));
    } else {
      before.push_back(assign(chosen, std::move(test), path));
      auto second = side(chosen, operands[1], path);
      const auto first = ir::make_seq({});
      before.push_back(ir::make_region(apply.op == Op::And ? ir::If{read(chosen), second, nullptr}
                                                           : ir::If{read(chosen), first, second}));
    }
    return read(chosen);
  }

  ir::Region side(ir::SymbolId chosen, const ir::Expr& value, const std::string& path) {
    std::vector<ir::Region> items;
    auto plain = hoist(value, path, items);
    items.push_back(assign(chosen, std::move(plain), path));
    return ir::make_seq(std::move(items));
  }

  static ir::Expr rebuilt(const ir::Expr& like, ir::ExprKind kind) {
    return std::make_shared<const ir::ExprNode>(
        ir::ExprNode{std::move(kind), like->type, like->loc, like->depth});
  }
};

}  // namespace

ir::Program name_folds(ir::Program program) {
  return NameFolds(std::move(program)).run();
}

}  // namespace gyre::passes
