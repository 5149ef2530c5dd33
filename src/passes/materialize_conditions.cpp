#include "gyre/passes/materialize_conditions.hpp"

#include "gyre/passes/pass.hpp"

#include <utility>
#include <vector>

namespace gyre::passes {
namespace {

using ir::ScalarType;

class MaterializeConditions final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::Foreach&) override { return self; }

  ir::Region visit(const ir::Region& self, const ir::If& op) override {
    if (is_slot_read(op.condition)) return Pass::visit(self, op);
    const auto holds = add_let("holds", ScalarType::Bool);
    ir::If lowered{read(holds), rewrite_body(op.then), rewrite(op.otherwise)};
    return ir::make_seq({let(holds, op.condition, self->path),
                         ir::make_region(std::move(lowered), self->loc, self->path)},
                        self->loc);
  }

  ir::Region visit(const ir::Region& self, const ir::Switch& op) override {
    if (is_slot_read(op.selector)) return Pass::visit(self, op);
    const auto selector = add_let("selector", op.selector->type);
    ir::Switch lowered{read(selector), op.cases, rewrite(op.otherwise)};
    for (ir::Case& one : lowered.cases) one.body = rewrite_body(one.body);
    return ir::make_seq({let(selector, op.selector, self->path),
                         ir::make_region(std::move(lowered), self->loc, self->path)},
                        self->loc);
  }

  ir::Region visit(const ir::Region& self, const ir::While& op) override {
    std::vector<ir::Region> out;
    ir::While lowered = op;
    lowered.test_last = false;
    lowered.limit = limit_in_slot(self, op.limit, out);
    lowered.body = rewrite_body(op.body);
    if (op.test_last || !is_slot_read(op.condition)) {
      const auto holds = add_var("holds", ScalarType::Bool);
      out.push_back(declare(holds));
      out.push_back(assign(holds, op.test_last ? constant(true) : op.condition, self->path));
      lowered.condition = read(holds);
      // Before the loop and as the body's last step: nodes are immutable, both share one tree.
      // An empty body changes nothing, so that its condition need not be asked again.
      if (op.test_last || !ir::is_empty(lowered.body)) {
        lowered.body =
            ir::make_seq({lowered.body, assign(holds, op.condition, self->path)}, op.body->loc);
      }
    }
    out.push_back(ir::make_region(std::move(lowered), self->loc, self->path));
    return ir::make_seq(std::move(out), self->loc);
  }

 private:
  // A size is no slot: kernels get it as an argument.
  bool is_slot_read(const ir::Expr& expr) const {
    const auto* read = ir::as<ir::Read>(expr);
    if (read == nullptr) return false;
    const auto kind = program_[read->symbol].kind;
    return kind == ir::SymbolKind::Scalar || kind == ir::SymbolKind::Let;
  }

  ir::Expr limit_in_slot(const ir::Region& self, const ir::Expr& limit,
                         std::vector<ir::Region>& out) {
    if (!limit) return nullptr;
    auto wide = ir::coerce(limit, ScalarType::I64);
    if (ir::as<ir::Literal>(wide) != nullptr) return wide;
    const auto slot = add_let("limit", ScalarType::I64);
    out.push_back(let(slot, std::move(wide), self->path));
    return read(slot);
  }
};

}  // namespace

ir::Program materialize_conditions(ir::Program program) {
  return MaterializeConditions(std::move(program)).run();
}

}  // namespace gyre::passes
