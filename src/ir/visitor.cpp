#include "gyre/ir/visitor.hpp"

namespace gyre::ir {
namespace {

// What each kind of node holds, in the order in which it is evaluated.
struct Parts {
  Visitor& to;

  void expr(const Expr& e) const {
    if (e) to.visit(e);
  }
  void region(const Region& r) const {
    if (r) to.visit(r);
  }
  void all(const std::vector<Expr>& exprs) const {
    for (const Expr& e : exprs) expr(e);
  }
  void ranges(const std::vector<Range>& list) const {
    for (const Range& range : list) to.visit_range(range);
  }

  void operator()(const Literal&) const {}
  void operator()(const Read&) const {}
  void operator()(const Load& load) const { all(load.index); }
  void operator()(const Apply& apply) const { all(apply.operands); }
  void operator()(const Cast& cast) const { expr(cast.operand); }
  void operator()(const Fold& fold) const {
    ranges(fold.ranges);
    expr(fold.operand);
  }

  void operator()(const Seq& seq) const {
    for (const Region& item : seq.items) region(item);
  }
  void operator()(const Declare&) const {}
  void operator()(const Let& let) const { expr(let.value); }
  void operator()(const Assign& assign) const {
    to.visit_place(assign.place);
    expr(assign.value);
  }
  void operator()(const Scatter& scatter) const {
    to.visit_place(scatter.place);
    expr(scatter.value);
  }
  void operator()(const Foreach& foreach) const {
    ranges(foreach.ranges);
    region(foreach.body);
  }
  void operator()(const Call&) const {}
  void operator()(const Copy&) const {}
  void operator()(const Fill& fill) const { expr(fill.value); }
  void operator()(const Primitive& op) const {
    to.visit_range(op.range);
    all(op.operands);
  }
  void operator()(const If& op) const {
    expr(op.condition);
    region(op.then);
    region(op.otherwise);
  }
  void operator()(const While& op) const {
    expr(op.limit);
    expr(op.expect);
    expr(op.condition);
    region(op.body);
  }
  void operator()(const For& op) const {
    to.visit_range(op.range);
    region(op.body);
  }
  void operator()(const Switch& op) const {
    expr(op.selector);
    for (const Case& one : op.cases) region(one.body);
    region(op.otherwise);
  }
  void operator()(const Fork& op) const {
    for (const Region& arm : op.arms) region(arm);
  }
  void operator()(const Break&) const {}
  void operator()(const Continue&) const {}
  void operator()(const Stop& stop) const { expr(stop.code); }
  void operator()(const CheckStep& check) const { expr(check.step); }
  void operator()(const CountTrips& count) const { expr(count.trips); }
};

}  // namespace

void Visitor::visit(const Region& region) {
  std::visit(Parts{*this}, region->kind);
}

void Visitor::visit(const Expr& expr) {
  std::visit(Parts{*this}, expr->kind);
}

void Visitor::visit_range(const Range& range) {
  const Parts parts{*this};
  parts.expr(range.begin);
  parts.expr(range.end);
  parts.expr(range.step);
}

void Visitor::visit_place(const Place& place) {
  Parts{*this}.all(place.index);
}

std::vector<Region> children(const Region& region) {
  class Collect final : public Visitor {
   public:
    std::vector<Region> found;
    void visit(const Region& child) override { found.push_back(child); }
    void visit(const Expr&) override {}
  };
  Collect collect;
  std::visit(Parts{collect}, region->kind);
  return std::move(collect.found);
}

}  // namespace gyre::ir
