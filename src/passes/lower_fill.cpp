#include "gyre/passes/lower_fill.hpp"

#include "gyre/passes/pass.hpp"

#include <utility>
#include <vector>

namespace gyre::passes {
namespace {

class LowerFill final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::Fill& fill) override {
    const auto value = add_let("value", fill.value->type);
    std::vector<ir::Range> ranges;
    std::vector<ir::Expr> index;
    // The symbol table grows below: a copy, not a reference.
    const std::vector<ir::Expr> extents = program_[fill.buffer].extents;
    for (const ir::Expr& extent : extents) {
      ir::Range range{{}, ir::make_flexible(std::int64_t{0}), extent, nullptr};
      range.index = add_index("i", ir::unify_range(range));
      index.push_back(read(range.index));
      ranges.push_back(std::move(range));
    }
    auto store = ir::make_region(
        ir::Assign{{fill.buffer, std::move(index), self->loc}, std::nullopt, read(value)},
        self->loc);
    auto sweep =
        ir::make_region(ir::Foreach{std::move(ranges), false, ir::make_seq({std::move(store)})},
                        self->loc, self->path);
    return ir::make_seq({let(value, fill.value, self->path), std::move(sweep)}, self->loc);
  }
};

}  // namespace

ir::Program lower_fill(ir::Program program) {
  return LowerFill(std::move(program)).run();
}

}  // namespace gyre::passes
