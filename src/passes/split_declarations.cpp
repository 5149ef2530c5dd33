#include "gyre/passes/split_declarations.hpp"

#include "gyre/passes/pass.hpp"

#include <utility>

namespace gyre::passes {
namespace {

class SplitDeclarations final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::Declare& op) override {
    ir::Symbol& symbol = program_.symbols[static_cast<std::size_t>(op.symbol)];
    const bool ours = symbol.intent == ir::Intent::Var || symbol.intent == ir::Intent::Out;
    if (!ours || !symbol.initial) return self;
    auto value = std::exchange(symbol.initial, nullptr);
    return ir::make_seq({self, assign(op.symbol, std::move(value))}, self->loc);
  }
};

}  // namespace

ir::Program split_declarations(ir::Program program) {
  return SplitDeclarations(std::move(program)).run();
}

}  // namespace gyre::passes
