#include "separate_folds.hpp"

#include "gyre/ir/rewriter.hpp"

#include <map>
#include <set>
#include <utility>

namespace gyre::builder {
namespace {

class SeparateFolds final : public ir::Rewriter {
 public:
  explicit SeparateFolds(ir::Program& program) : program_(program) {}

 protected:
  using Rewriter::visit;

  ir::Expr visit(const ir::Expr& self, const ir::Read& read) override {
    const auto found = renamed_.find(read.symbol);
    return found == renamed_.end() ? self : ir::make_read(found->second, self->type, self->loc);
  }

  ir::Expr visit(const ir::Expr& self, const ir::Fold& fold) override {
    const auto ranges = rewrite_ranges(fold.ranges);
    auto outer = renamed_;
    auto separate = ranges;
    for (ir::Range& range : separate) range.index = own_index(range.index);
    auto operand = rewrite(fold.operand);
    renamed_ = std::move(outer);
    return ir::make_fold(fold.op, std::move(separate), std::move(operand), self->loc);
  }

 private:
  // The index itself for the first fold that has it, a copy for each further one.
  ir::SymbolId own_index(ir::SymbolId index) {
    if (seen_.insert(index).second) return index;
    const auto copy = program_.add(program_[index]);
    renamed_[index] = copy;
    return copy;
  }

  ir::Program& program_;
  std::set<ir::SymbolId> seen_;
  std::map<ir::SymbolId, ir::SymbolId> renamed_;
};

}  // namespace

ir::Program separate_folds(ir::Program program) {
  auto body = SeparateFolds(program).rewrite(program.body);
  program.body = std::move(body);
  return program;
}

}  // namespace gyre::builder
