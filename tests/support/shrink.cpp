#include "support/shrink.hpp"

#include "gyre/ir/rewriter.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/verifier/verify.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace gyre::support {
namespace {

using ir::Expr;
using ir::Region;

// Makes the edit of number `number`, counted over the whole tree.
class Edit final : public ir::Rewriter {
 public:
  Edit(const ir::Program& program, std::size_t number) : program_(program), left_(number) {}

  bool is_made() const { return is_made_; }

 protected:
  using Rewriter::visit;

  Region visit(const Region& self, const ir::Seq& seq) override {
    std::vector<Region> items;
    for (const Region& item : seq.items) {
      if (!is_of_the_caller(item) && is_here()) continue;
      if (is_block_holder(item) && is_here()) {
        splice(item, items);
        continue;
      }
      items.push_back(rewrite(item));
    }
    return ir::make_seq(std::move(items), self->loc);
  }

  Expr visit(const Expr& self, const ir::Read& read) override {
    const auto simple = simpler(self);
    return simple ? *simple : Rewriter::visit(self, read);
  }
  Expr visit(const Expr& self, const ir::Load& load) override {
    const auto simple = simpler(self);
    return simple ? *simple : Rewriter::visit(self, load);
  }
  Expr visit(const Expr& self, const ir::Cast& cast) override {
    const auto simple = simpler(self);
    return simple ? *simple : Rewriter::visit(self, cast);
  }
  Expr visit(const Expr& self, const ir::Fold& fold) override {
    const auto simple = simpler(self);
    return simple ? *simple : Rewriter::visit(self, fold);
  }
  Expr visit(const Expr& self, const ir::Apply& apply) override {
    if (const auto simple = simpler(self)) return *simple;
    for (const Expr& operand : apply.operands) {
      if (operand->type == self->type && is_here()) return operand;
    }
    return Rewriter::visit(self, apply);
  }

 private:
  bool is_here() {
    if (is_made_ || left_-- != 0) return false;
    is_made_ = true;
    return true;
  }

  // What a run is given and gives: without its declaration nobody would make it zero.
  bool is_of_the_caller(const Region& region) const {
    const auto* declare = ir::as<ir::Declare>(region);
    if (declare == nullptr) return false;
    const ir::Intent intent = program_[declare->symbol].intent;
    return intent != ir::Intent::Temp && intent != ir::Intent::Var;
  }

  static bool is_block_holder(const Region& region) {
    return !std::holds_alternative<ir::Seq>(region->kind) && !children(region).empty();
  }

  static void splice(const Region& holder, std::vector<Region>& items) {
    for (const Region& block : children(holder)) {
      const auto* seq = ir::as<ir::Seq>(block);
      if (seq != nullptr) items.insert(items.end(), seq->items.begin(), seq->items.end());
    }
  }

  std::optional<Expr> simpler(const Expr& self) {
    return is_here() ? std::optional(ir::make_literal(ir::Value::zero(self->type))) : std::nullopt;
  }

  const ir::Program& program_;
  std::size_t left_;
  bool is_made_ = false;
};

bool is_legal(const ir::Program& program) {
  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  return !diagnostics.has_errors();
}

}  // namespace

ir::Program shrink(ir::Program program,
                   const std::function<bool(const ir::Program&)>& still_fails) {
  // One round after the other until a whole round finds nothing to leave out.
  for (bool progress = true; progress;) {
    progress = false;
    for (std::size_t number = 0;;) {
      Edit edit(program, number);
      ir::Program edited = program;
      edited.body = edit.rewrite(program.body);
      if (!edit.is_made()) break;
      edited = number_regions(std::move(edited));
      if (is_legal(edited) && still_fails(edited)) {
        program = std::move(edited);
        progress = true;
      } else {
        ++number;
      }
    }
  }
  return program;
}

}  // namespace gyre::support
