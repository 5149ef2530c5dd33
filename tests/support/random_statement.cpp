#include "support/random_statement.hpp"

#include <algorithm>

namespace gyre::support {

using ir::Expr;
using ir::make_apply;
using ir::make_region;
using ir::Op;
using ir::Region;
using ir::ScalarType;
using ir::SymbolId;
using Out = std::vector<Region>;

void StatementMaker::make(Scope& scope, int count, int depth, Out& out) {
  for (int i = 0; i < count; ++i) any_statement(scope, depth, out);
}

Region StatementMaker::block(Scope scope, int depth) {
  Out items;
  if (!random_.chance(4)) {
    make(scope, static_cast<int>(random_.between(1, 3)), depth - 1, items);
  }
  return ir::make_seq(std::move(items));
}

void StatementMaker::any_statement(Scope& scope, int depth, Out& out) {
  const auto kind = random_.between(1, 100);
  if (depth > 0 && kind <= 12) return choose(scope, depth, out);
  if (depth > 0 && kind <= 20) return repeat_while(scope, depth, out);
  if (depth > 0 && kind <= 26) return repeat_for(scope, depth, out);
  if (kind <= 32) return let(scope, out);
  if (kind <= 37) return var(scope, out);
  if (kind <= 41) return jump(scope, out);
  if (scope.is_in_foreach) return index_statement(scope, depth, out);
  device_statement(scope, depth, out);
}

void StatementMaker::device_statement(Scope& scope, int depth, Out& out) {
  const auto kind = random_.between(1, 100);
  if (kind <= 35) return assign_scalar(scope, out);
  if (kind <= 42) return assign_element(scope, out);
  if (kind <= 46) return temp(scope, out);
  if (kind <= 51) return fill_or_copy(scope, out);
  if (kind <= 56 && depth > 0) return choose_case(scope, depth, out);
  if (kind <= 58) return stop(scope, out);
  if (kind <= 66 && depth > 0) return fork(scope, depth, out);
  if (kind <= 73) return primitive(scope, out);
  if (kind <= 76) return call(scope, out);
  foreach(scope, depth, out);
}

void StatementMaker::index_statement(Scope& scope, int depth, Out& out) {
  if (scope.has_team && random_.chance(40)) return inner_foreach(scope, depth, out);
  const auto kind = random_.between(1, 100);
  if (kind <= 25) return assign_scalar(scope, out);
  if (kind <= 40) return accumulate(scope, out);
  if (kind <= 50) return scatter_sum(scope, out);
  store(scope, out);
}

Expr StatementMaker::value(ScalarType type, const Scope& scope) {
  return exprs_.make(type, static_cast<int>(random_.between(0, 3)), scope);
}

std::optional<Op> StatementMaker::assignment_operator(ScalarType type) {
  if (random_.chance(50)) return std::nullopt;
  if (type == ScalarType::Bool) {
    return random_.pick(std::vector{Op::BitAnd, Op::BitOr, Op::BitXor});
  }
  std::vector<Op> fitting = {Op::Add, Op::Sub, Op::Mul, Op::Div};
  if (is_integer(type)) {
    fitting.insert(fitting.end(), {Op::Rem, Op::BitAnd, Op::BitOr, Op::BitXor});
  }
  return random_.pick(fitting);
}

Region StatementMaker::store_to(ir::Place place, ScalarType type, const Scope& scope) {
  return make_region(ir::Assign{std::move(place), assignment_operator(type), value(type, scope)});
}

void StatementMaker::let(Scope& scope, Out& out) {
  const ScalarType type = random_.value_type();
  Expr named = value(type, scope);
  const SymbolId id = world_.add("l", {.kind = ir::SymbolKind::Let, .type = type});
  out.push_back(make_region(ir::Let{id, std::move(named)}));
  scope.readable.push_back(id);
}

void StatementMaker::var(Scope& scope, Out& out) {
  const ScalarType type = random_.value_type();
  Expr initial = random_.chance(60) ? value(type, scope) : nullptr;
  const SymbolId id = world_.add("v", {.kind = ir::SymbolKind::Scalar,
                                       .type = type,
                                       .intent = ir::Intent::Var,
                                       .initial = std::move(initial)});
  out.push_back(make_region(ir::Declare{id}));
  scope.readable.push_back(id);
  scope.assignable.push_back(id);
}

// Of the shape of another buffer, so that copies between the two are possible.
void StatementMaker::temp(Scope& scope, Out& out) {
  if (scope.loadable.empty()) return assign_scalar(scope, out);
  const SymbolId like = random_.pick(scope.loadable);
  const ir::Symbol& model = world_.program[like];
  const SymbolId id =
      world_.add("t", {.kind = ir::SymbolKind::Buffer,
                       .type = random_.chance(50) ? model.type : random_.element_type(),
                       .intent = ir::Intent::Temp,
                       .extents = model.extents});
  world_.extents[id] = std::vector<std::int64_t>(world_.extents.at(like));
  out.push_back(make_region(ir::Declare{id}));
  scope.loadable.push_back(id);
  scope.storable.push_back(id);
}

void StatementMaker::assign_scalar(const Scope& scope, Out& out) {
  if (scope.assignable.empty()) return;
  const SymbolId target = random_.pick(scope.assignable);
  out.push_back(store_to({target, {}, {}}, world_.program[target].type, scope));
}

void StatementMaker::assign_element(const Scope& scope, Out& out) {
  if (scope.storable.empty()) return;
  const SymbolId target = random_.pick(scope.storable);
  ir::Place place{target, {}, {}};
  for (const std::int64_t extent : world_.extents.at(target)) {
    const auto coordinate = exprs_.safe_coordinate(extent, scope);
    if (!coordinate) return;
    place.index.push_back(*coordinate);
  }
  out.push_back(store_to(std::move(place), loaded_type(world_.program[target].type), scope));
}

void StatementMaker::fill_or_copy(const Scope& scope, Out& out) {
  if (scope.storable.empty()) return;
  const SymbolId to = random_.pick(scope.storable);
  const ir::Symbol& target = world_.program[to];
  for (const SymbolId from : scope.loadable) {
    const ir::Symbol& source = world_.program[from];
    const bool fits = from != to && source.type == target.type &&
                      std::equal(source.extents.begin(), source.extents.end(),
                                 target.extents.begin(), target.extents.end(), ir::same_expr);
    if (!fits || random_.chance(30)) continue;
    out.push_back(make_region(ir::Copy{to, from}));
    return;
  }
  out.push_back(make_region(ir::Fill{to, value(loaded_type(target.type), scope)}));
}

void StatementMaker::choose(const Scope& scope, int depth, Out& out) {
  Region otherwise = random_.chance(40) ? block(scope, depth) : nullptr;
  out.push_back(make_region(ir::If{condition(scope), block(scope, depth), std::move(otherwise)}));
}

void StatementMaker::choose_case(const Scope& scope, int depth, Out& out) {
  ir::Switch op;
  op.selector = value(random_.chance(50) ? ScalarType::I32 : ScalarType::I64, scope);
  if (random_.chance(70)) op.selector = make_apply(Op::Rem, {op.selector, number(5)});
  std::int64_t next = random_.between(-4, 0);
  const auto cases = random_.between(1, 4);
  for (std::int64_t i = 0; i < cases; ++i) {
    ir::Case one;
    const auto labels = random_.between(1, 2);
    for (std::int64_t k = 0; k < labels; ++k) {
      const std::int64_t width = random_.chance(70) ? 1 : random_.between(1, 3);
      one.labels.push_back({next, next + width});
      next += width + random_.between(0, 1);
    }
    one.body = block(scope, depth);
    op.cases.push_back(std::move(one));
  }
  if (random_.chance(60)) op.otherwise = block(scope, depth);
  out.push_back(make_region(std::move(op)));
}

// Each object that may be written is written by one arm, which alone reads it, or by none.
void StatementMaker::deal(std::vector<Scope>& arms, const std::vector<SymbolId>& written,
                          std::vector<SymbolId> Scope::*writable,
                          std::vector<SymbolId> Scope::*readable) {
  for (const SymbolId object : written) {
    const auto owner = static_cast<std::size_t>(random_.between(0, std::ssize(arms)));
    for (std::size_t i = 0; i < arms.size(); ++i) {
      if (i == owner) continue;
      std::erase(arms[i].*writable, object);
      if (owner != arms.size()) std::erase(arms[i].*readable, object);
    }
  }
}

void StatementMaker::fork(const Scope& scope, int depth, Out& out) {
  std::vector<Scope> arms(static_cast<std::size_t>(random_.between(1, 3)), scope);
  for (Scope& arm : arms) arm.loops = 0;
  deal(arms, scope.assignable, &Scope::assignable, &Scope::readable);
  deal(arms, scope.storable, &Scope::storable, &Scope::loadable);
  ir::Fork op;
  for (Scope& arm : arms) op.arms.push_back(block(std::move(arm), depth));
  out.push_back(make_region(std::move(op)));
}

// A counter of its own ends each loop soon; where there is none, a small limit does.
void StatementMaker::repeat_while(Scope& scope, int depth, Out& out) {
  ir::While loop;
  loop.test_last = random_.chance(30);
  if (random_.chance(15)) loop.limit = number(random_.between(0, 5));
  if (random_.chance(5)) loop.expect = number(random_.between(0, 9));
  Scope within = scope;
  ++within.loops;
  within.work *= 4;
  if (random_.chance(4)) {
    loop.limit = number(random_.between(0, 3));
    loop.condition = condition(scope);
    loop.body = block(within, depth);
    out.push_back(make_region(std::move(loop)));
    return;
  }
  const ScalarType type = random_.chance(50) ? ScalarType::I32 : ScalarType::I64;
  const SymbolId counter =
      world_.add("c", {.kind = ir::SymbolKind::Scalar, .type = type, .intent = ir::Intent::Var});
  out.push_back(make_region(ir::Declare{counter}));
  scope.readable.push_back(counter);
  within.readable.push_back(counter);
  loop.condition = make_apply(Op::Lt, {world_.read(counter), number(random_.between(0, 4))});
  if (random_.chance(40)) {
    const Expr more = condition(scope);
    loop.condition = random_.chance(50) ? make_apply(Op::And, {loop.condition, more})
                                        : make_apply(Op::And, {more, loop.condition});
  }
  Out items = {make_region(ir::Assign{{counter, {}, {}}, Op::Add, ir::coerce(number(1), type)})};
  make(within, static_cast<int>(random_.between(0, 3)), depth - 1, items);
  loop.body = ir::make_seq(std::move(items));
  out.push_back(make_region(std::move(loop)));
}

void StatementMaker::repeat_for(const Scope& scope, int depth, Out& out) {
  const MadeRange made = exprs_.make_range(scope, 5);
  Scope within = scope;
  ++within.loops;
  within.work *= static_cast<double>(std::max<std::int64_t>(made.most_points, 1));
  within.readable.push_back(made.range.index);
  within.bounds[made.range.index] = made.bounds;
  out.push_back(make_region(ir::For{made.range, block(std::move(within), depth)}));
}

void StatementMaker::jump(const Scope& scope, Out& out) {
  if (scope.loops == 0) return;
  const Region leap = random_.chance(50) ? make_region(ir::Break{}) : make_region(ir::Continue{});
  if (random_.chance(10)) {
    out.push_back(leap);
    return;
  }
  out.push_back(make_region(ir::If{condition(scope), ir::make_seq({leap}), nullptr}));
}

void StatementMaker::stop(const Scope& scope, Out& out) {
  ir::Stop op{random_.pick(std::vector<std::string>{"done", "no way", "a \"b\" \\ c"}), nullptr};
  if (random_.chance(50)) op.code = value(ScalarType::I32, scope);
  out.push_back(
      make_region(ir::If{condition(scope), ir::make_seq({make_region(std::move(op))}), nullptr}));
}

}  // namespace gyre::support
