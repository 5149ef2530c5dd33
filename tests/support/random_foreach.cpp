#include "support/random_statement.hpp"

#include <algorithm>
#include <numeric>

namespace gyre::support {

using ir::Expr;
using ir::make_apply;
using ir::make_region;
using ir::Op;
using ir::Region;
using ir::ScalarType;
using ir::SymbolId;
using Out = std::vector<Region>;

void StatementMaker::foreach(const Scope& scope, int depth, Out& out) {
  if (most_work / scope.work < 2) return;
  Scope within = scope;
  within.is_in_foreach = true;
  within.loops = 0;
  ir::Foreach op = random_.chance(8) ? independent_halves(within) : plain_foreach(scope, within);
  if (op.ranges.empty()) return;
  if (random_.chance(25)) op.team = random_.chance(50) ? ir::Team::Warp : ir::Team::Block;
  within.has_team = op.team != ir::Team::Any;

  // Sums and distinct targets stand outside the body's inner loops.
  Out body;
  if (random_.chance(25)) scatter_distinct(within, body);
  make(within, static_cast<int>(random_.between(1, 3)), std::min(depth, 2), body);
  store(within, body);
  if (random_.chance(30)) accumulate(within, body);
  op.body = ir::make_seq(std::move(body));
  out.push_back(make_region(std::move(op)));
}

// foreach i in 0..h independent { x[i] = … x[i + h] … }: no index reads what another writes.
ir::Foreach StatementMaker::independent_halves(Scope& within) {
  std::vector<SymbolId> fitting;
  for (const SymbolId id : within.storable) {
    const auto& extents = world_.extents.at(id);
    if (extents.size() == 1 && extents[0] >= 2) fitting.push_back(id);
  }
  if (fitting.empty()) return {};
  const SymbolId target = random_.pick(fitting);
  const std::int64_t half = std::min<std::int64_t>(
      world_.extents.at(target)[0] / 2, static_cast<std::int64_t>(most_work / within.work));
  const SymbolId index = world_.add("i", {.kind = ir::SymbolKind::Index, .type = ScalarType::I32});
  within.readable.push_back(index);
  within.bounds[index] = {0, half - 1};
  within.stored[target][0] = {index, 0};
  within.storable = {target};
  // The careless read what a neighbour writes.
  const bool breaks = world_.is_careless && half > 1 && random_.chance(50);
  within.independent_offset = breaks ? 1 : half;
  within.assignable.clear();
  within.work *= static_cast<double>(half);
  return {{{index, number(0), number(half), nullptr}}, true, nullptr};
}

ir::Foreach StatementMaker::plain_foreach(const Scope& scope, Scope& within) {
  ir::Foreach op;
  std::vector<MadeRange> ranges;
  const auto count = random_.chance(75) ? 1 : random_.between(2, 3);
  for (std::int64_t r = 0; r < count; ++r) {
    const auto left = static_cast<std::int64_t>(most_work / within.work);
    ranges.push_back(exprs_.make_range(scope, std::max<std::int64_t>(left, 1)));
    const MadeRange& made = ranges.back();
    op.ranges.push_back(made.range);
    within.readable.push_back(made.range.index);
    within.bounds[made.range.index] = made.bounds;
    within.work *= static_cast<double>(std::max<std::int64_t>(made.most_points, 1));
  }
  aim(within, ranges);
  return op;
}

// Chooses what the foreach writes: buffers at the place of its indices, buffers by scatter, sums.
void StatementMaker::aim(Scope& within, const std::vector<MadeRange>& ranges) {
  for (const SymbolId id : within.storable) {
    const auto& extents = world_.extents.at(id);
    const auto forget = [&](std::vector<SymbolId>& from) { std::erase(from, id); };
    if (random_.chance(20) && extents.size() == 1 && extents[0] > 0) {
      const bool may_count = is_integer(world_.program[id].type);
      (may_count && random_.chance(60) ? within.counted : within.scattered).push_back(id);
      forget(within.loadable);
      continue;
    }
    if (extents.size() < ranges.size() || random_.chance(40)) continue;
    Footprint footprint;
    for (std::size_t r = 0; r < ranges.size(); ++r) {
      const std::size_t dimension = (r + extents.size() - ranges.size()) % extents.size();
      const auto& [least, greatest] = ranges[r].bounds;
      const std::int64_t offset = least < 0 ? -least : random_.between(0, 4) / 4;
      if (greatest + offset >= extents[dimension]) break;
      footprint[dimension] = {ranges[r].range.index, offset};
    }
    if (footprint.size() == ranges.size()) within.stored[id] = footprint;
  }
  within.storable.clear();
  for (const auto& [id, footprint] : within.stored) within.storable.push_back(id);

  for (const SymbolId id : within.assignable) {
    if (!is_number(world_.program[id].type) || !random_.chance(25)) continue;
    within.summed.push_back(id);
    std::erase(within.readable, id);
  }
  within.assignable.clear();
}

// Stores to buffers of the outer foreach that have a coordinate left for one more index.
void StatementMaker::inner_foreach(const Scope& scope, int depth, Out& out) {
  const auto left = static_cast<std::int64_t>(most_work / scope.work);
  if (left < 2) return store(scope, out);
  const MadeRange made = exprs_.make_range(scope, left);
  Scope within = scope;
  within.has_team = false;
  within.loops = 0;
  within.work *= static_cast<double>(std::max<std::int64_t>(made.most_points, 1));
  within.readable.push_back(made.range.index);
  within.bounds[made.range.index] = made.bounds;
  within.assignable.clear();
  within.summed.clear();
  within.counted.clear();
  within.scattered.clear();
  within.storable.clear();
  const std::int64_t offset = std::max<std::int64_t>(-made.bounds.least, 0);
  for (const SymbolId id : scope.storable) {
    const auto& extents = world_.extents.at(id);
    for (std::size_t d = 0; d < extents.size(); ++d) {
      Footprint& footprint = within.stored.at(id);
      if (footprint.contains(d) || made.bounds.greatest + offset >= extents[d]) continue;
      footprint[d] = {made.range.index, offset};
      within.storable.push_back(id);
      break;
    }
  }
  if (within.storable.empty()) return store(scope, out);
  Out body;
  make(within, static_cast<int>(random_.between(0, 2)), std::min(depth, 1), body);
  store(within, body);
  out.push_back(make_region(ir::Foreach{{made.range}, false, ir::make_seq(std::move(body))}));
}

void StatementMaker::store(const Scope& scope, Out& out) {
  if (scope.storable.empty()) return;
  const SymbolId target = random_.pick(scope.storable);
  auto place = exprs_.stored_place(target, scope);
  if (!place) return;
  out.push_back(
      store_to({target, std::move(*place), {}}, loaded_type(world_.program[target].type), scope));
}

// scatter x[(a * i + b) mod n], distinct where a and n have no common factor and no two indices are
// alike mod n.
void StatementMaker::scatter_distinct(const Scope& scope, Out& out) {
  std::vector<SymbolId> fitting = scope.scattered;
  SymbolId index{};
  IndexBounds bounds{0, -1};
  int indices = 0;
  for (const auto& [id, range] : scope.bounds) {
    if (world_.program[id].kind != ir::SymbolKind::Index) continue;
    index = id;
    bounds = range;
    ++indices;
  }
  std::erase_if(fitting, [&](SymbolId id) {
    return world_.extents.at(id)[0] <= bounds.greatest - bounds.least;
  });
  if (indices != 1 || fitting.empty()) return;
  const SymbolId target = random_.pick(fitting);
  const std::int64_t extent = world_.extents.at(target)[0];
  std::int64_t factor = random_.between(1, 7);
  while (std::gcd(factor, extent) != 1) ++factor;
  // The careless divide first, so that neighbours meet.
  const bool breaks = world_.is_careless && random_.chance(50);
  const Expr own = world_.read(index);
  const Expr scaled =
      make_apply(Op::Mul, {breaks ? make_apply(Op::Div, {own, number(2)}) : own, number(factor)});
  // Past every negative index, so that the remainder is not negative.
  const Expr shifted =
      make_apply(Op::Add, {scaled, number(factor * extent + random_.between(0, extent))});
  const Expr place = make_apply(Op::Rem, {shifted, number(extent)});
  out.push_back(make_region(ir::Scatter{
      {target, {place}, {}}, false, value(loaded_type(world_.program[target].type), scope)}));
}

void StatementMaker::scatter_sum(const Scope& scope, Out& out) {
  if (scope.counted.empty()) return store(scope, out);
  const SymbolId target = random_.pick(scope.counted);
  const std::int64_t extent = world_.extents.at(target)[0];
  out.push_back(make_region(ir::Scatter{{target, {exprs_.scrambled_coordinate(extent, scope)}, {}},
                                        true,
                                        value(world_.program[target].type, scope)}));
}

void StatementMaker::accumulate(const Scope& scope, Out& out) {
  if (scope.summed.empty() || scope.loops != 0) return;
  const SymbolId target = random_.pick(scope.summed);
  out.push_back(make_region(
      ir::Assign{{target, {}, {}}, Op::Add, value(world_.program[target].type, scope)}));
}

}  // namespace gyre::support
