#include "gyre/ir/rewriter.hpp"

#include <algorithm>
#include <utility>

namespace gyre::ir {
namespace {

// A rebuilt node keeps its place and its path.
Region like(const Region& self, RegionKind kind) {
  return make_region(std::move(kind), self->loc, self->path);
}

// A rebuilt expression keeps its type: a rewriter replaces operands by others of their type.
Expr like(const Expr& self, ExprKind kind, std::uint32_t depth) {
  return std::make_shared<const ExprNode>(ExprNode{std::move(kind), self->type, self->loc, depth});
}

std::uint32_t tallest(const std::vector<Expr>& exprs) {
  std::uint32_t depth = 0;
  for (const Expr& expr : exprs) depth = std::max(depth, expr->depth);
  return depth;
}

bool same_nodes(const Range& a, const Range& b) {
  return a.begin == b.begin && a.end == b.end && a.step == b.step && a.index == b.index;
}

bool same_nodes(const std::vector<Range>& a, const std::vector<Range>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Range& x, const Range& y) { return same_nodes(x, y); });
}

bool same_nodes(const Place& a, const Place& b) {
  return a.symbol == b.symbol && a.index == b.index;
}

}  // namespace

Region Rewriter::rewrite(const Region& region) {
  if (!region) return nullptr;
  return std::visit([&](const auto& kind) { return visit(region, kind); }, region->kind);
}

Expr Rewriter::rewrite(const Expr& expr) {
  if (!expr) return nullptr;
  return std::visit([&](const auto& kind) { return visit(expr, kind); }, expr->kind);
}

Range Rewriter::rewrite_range(const Range& range) {
  return {range.index, rewrite(range.begin), rewrite(range.end), rewrite(range.step)};
}

std::vector<Range> Rewriter::rewrite_ranges(const std::vector<Range>& ranges) {
  std::vector<Range> out;
  for (const Range& range : ranges) out.push_back(rewrite_range(range));
  return out;
}

Place Rewriter::rewrite_place(const Place& place) {
  return {place.symbol, rewrite_all(place.index), place.loc};
}

std::vector<Expr> Rewriter::rewrite_all(const std::vector<Expr>& exprs) {
  std::vector<Expr> out;
  out.reserve(exprs.size());
  for (const Expr& expr : exprs) out.push_back(rewrite(expr));
  return out;
}

Region Rewriter::rewrite_body(const Region& body) {
  auto rewritten = rewrite(body);
  return rewritten || !body ? rewritten : make_seq({}, body->loc);
}

Region Rewriter::visit(const Region& self, const Seq& seq) {
  std::vector<Region> items;
  items.reserve(seq.items.size());
  for (const Region& item : seq.items) {
    if (auto rewritten = rewrite(item)) items.push_back(std::move(rewritten));
  }
  return items == seq.items ? self : make_seq(std::move(items), self->loc);
}

Region Rewriter::visit(const Region& self, const Declare&) {
  return self;
}

Region Rewriter::visit(const Region& self, const Let& let) {
  auto value = rewrite(let.value);
  return value == let.value ? self : like(self, Let{let.symbol, std::move(value)});
}

Region Rewriter::visit(const Region& self, const Assign& assign) {
  auto place = rewrite_place(assign.place);
  auto value = rewrite(assign.value);
  if (value == assign.value && same_nodes(place, assign.place)) return self;
  return like(self, Assign{std::move(place), assign.op, std::move(value)});
}

Region Rewriter::visit(const Region& self, const Scatter& scatter) {
  auto place = rewrite_place(scatter.place);
  auto value = rewrite(scatter.value);
  if (value == scatter.value && same_nodes(place, scatter.place)) return self;
  return like(self, Scatter{std::move(place), scatter.accumulate, std::move(value)});
}

Region Rewriter::visit(const Region& self, const Foreach& foreach) {
  auto ranges = rewrite_ranges(foreach.ranges);
  auto body = rewrite_body(foreach.body);
  if (body == foreach.body && same_nodes(ranges, foreach.ranges)) return self;
  return like(self, Foreach{std::move(ranges), foreach.independent, std::move(body), foreach.team});
}

Region Rewriter::visit(const Region& self, const Call&) {
  return self;
}

Region Rewriter::visit(const Region& self, const Copy&) {
  return self;
}

Region Rewriter::visit(const Region& self, const Fill& fill) {
  auto value = rewrite(fill.value);
  return value == fill.value ? self : like(self, Fill{fill.buffer, std::move(value)});
}

Region Rewriter::visit(const Region& self, const Primitive& op) {
  Primitive out = op;
  out.range = rewrite_range(op.range);
  out.operands = rewrite_all(op.operands);
  if (out.operands == op.operands && same_nodes(out.range, op.range)) return self;
  return like(self, std::move(out));
}

Region Rewriter::visit(const Region& self, const If& op) {
  auto condition = rewrite(op.condition);
  auto then = rewrite_body(op.then);
  auto otherwise = rewrite(op.otherwise);
  if (condition == op.condition && then == op.then && otherwise == op.otherwise) return self;
  return like(self, If{std::move(condition), std::move(then), std::move(otherwise)});
}

Region Rewriter::visit(const Region& self, const While& op) {
  While out = op;
  out.limit = rewrite(op.limit);
  out.expect = rewrite(op.expect);
  out.condition = rewrite(op.condition);
  out.body = rewrite_body(op.body);
  const bool unchanged = out.limit == op.limit && out.expect == op.expect &&
                         out.condition == op.condition && out.body == op.body;
  return unchanged ? self : like(self, std::move(out));
}

Region Rewriter::visit(const Region& self, const For& op) {
  auto range = rewrite_range(op.range);
  auto body = rewrite_body(op.body);
  if (body == op.body && same_nodes(range, op.range)) return self;
  return like(self, For{std::move(range), std::move(body)});
}

Region Rewriter::visit(const Region& self, const Switch& op) {
  Switch out = op;
  out.selector = rewrite(op.selector);
  bool unchanged = out.selector == op.selector;
  for (Case& one : out.cases) {
    auto body = rewrite_body(one.body);
    unchanged = unchanged && body == one.body;
    one.body = std::move(body);
  }
  out.otherwise = rewrite(op.otherwise);
  unchanged = unchanged && out.otherwise == op.otherwise;
  return unchanged ? self : like(self, std::move(out));
}

Region Rewriter::visit(const Region& self, const Fork& op) {
  std::vector<Region> arms;
  for (const Region& arm : op.arms) arms.push_back(rewrite_body(arm));
  return arms == op.arms ? self : like(self, Fork{std::move(arms)});
}

Region Rewriter::visit(const Region& self, const Break&) {
  return self;
}

Region Rewriter::visit(const Region& self, const Continue&) {
  return self;
}

Region Rewriter::visit(const Region& self, const Stop& op) {
  auto code = rewrite(op.code);
  return code == op.code ? self : like(self, Stop{op.label, std::move(code)});
}

Region Rewriter::visit(const Region& self, const CheckStep& op) {
  auto step = rewrite(op.step);
  return step == op.step ? self : like(self, CheckStep{std::move(step)});
}

Region Rewriter::visit(const Region& self, const CountTrips& op) {
  auto trips = rewrite(op.trips);
  return trips == op.trips ? self : like(self, CountTrips{std::move(trips)});
}

Expr Rewriter::visit(const Expr& self, const Literal&) {
  return self;
}

Expr Rewriter::visit(const Expr& self, const Read&) {
  return self;
}

Expr Rewriter::visit(const Expr& self, const Load& load) {
  auto index = rewrite_all(load.index);
  if (index == load.index) return self;
  const auto depth = tallest(index) + 1;
  return like(self, Load{load.buffer, std::move(index)}, depth);
}

Expr Rewriter::visit(const Expr& self, const Apply& apply) {
  auto operands = rewrite_all(apply.operands);
  if (operands == apply.operands) return self;
  const auto depth = tallest(operands) + 1;
  return like(self, Apply{apply.op, std::move(operands)}, depth);
}

Expr Rewriter::visit(const Expr& self, const Cast& cast) {
  auto operand = rewrite(cast.operand);
  if (operand == cast.operand) return self;
  const auto depth = operand->depth + 1;
  return like(self, Cast{std::move(operand), cast.implicit}, depth);
}

Expr Rewriter::visit(const Expr& self, const Fold& fold) {
  auto ranges = rewrite_ranges(fold.ranges);
  auto operand = rewrite(fold.operand);
  if (operand == fold.operand && same_nodes(ranges, fold.ranges)) return self;
  return make_fold(fold.op, std::move(ranges), std::move(operand), self->loc);
}

}  // namespace gyre::ir
