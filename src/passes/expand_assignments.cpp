#include "gyre/passes/expand_assignments.hpp"

#include "gyre/passes/pass.hpp"

#include <set>
#include <utility>

namespace gyre::passes {
namespace {

class ExpandAssignments final : public Pass {
 public:
  using Pass::Pass;

 protected:
  using Pass::visit;

  ir::Region visit(const ir::Region& self, const ir::Foreach& foreach) override {
    const bool is_inner = std::exchange(inside_foreach_, true);
    if (!is_inner) own_.clear();
    auto rewritten = Pass::visit(self, foreach);
    inside_foreach_ = is_inner;
    return rewritten;
  }

  ir::Region visit(const ir::Region& self, const ir::Declare& declare) override {
    own_.insert(declare.symbol);
    return self;
  }

  ir::Region visit(const ir::Region& self, const ir::Assign& assign) override {
    if (!assign.op || is_outer_sum(assign.place)) return self;
    const ir::Place& place = assign.place;
    const ir::Symbol& target = program_[place.symbol];
    auto old = place.index.empty()
                   ? ir::make_read(place.symbol, target.type, place.loc)
                   : ir::make_load(place.symbol, target.type, place.index, place.loc);
    auto value = ir::make_apply(*assign.op, {std::move(old), assign.value}, self->loc);
    return ir::make_region(ir::Assign{place, std::nullopt, std::move(value)}, self->loc,
                           self->path);
  }

 private:
  bool is_outer_sum(const ir::Place& place) const {
    return inside_foreach_ && place.index.empty() && !own_.contains(place.symbol);
  }

  bool inside_foreach_ = false;
  // The variables declared within the foreach at hand.
  std::set<ir::SymbolId> own_;
};

}  // namespace

ir::Program expand_assignments(ir::Program program) {
  return ExpandAssignments(std::move(program)).run();
}

}  // namespace gyre::passes
