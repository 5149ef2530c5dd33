#include "support/random_expr.hpp"

#include "gyre/base/error.hpp"
#include "gyre/ir/eval.hpp"

#include <algorithm>

namespace gyre::support {

using ir::Expr;
using ir::FoldOp;
using ir::make_apply;
using ir::Op;
using ir::ScalarType;
using ir::SymbolId;

Expr number(std::int64_t value) {
  return ir::make_flexible(value);
}

namespace {

const std::vector<ir::OpInfo>& exact_operators() {
  static const std::vector<ir::OpInfo> rows = [] {
    std::vector<ir::OpInfo> exact;
    for (const ir::OpInfo& row : ir::all_ops()) {
      if (row.bits == ir::OpBits::Exact) exact.push_back(row);
    }
    return exact;
  }();
  return rows;
}

// Within 0..most, whatever `value` is.
Expr clamped(Expr value, std::int64_t most) {
  return make_apply(Op::Min, {make_apply(Op::Max, {std::move(value), number(0)}), number(most)});
}

}  // namespace

Expr ExprMaker::make(ScalarType type, int height, const Scope& scope) {
  Expr made;
  if (height > 0) {
    switch (random_.between(0, 11)) {
      case 0:
      case 1:
      case 2: made = make_load(type, height, scope); break;
      case 3: made = make_cast(type, height, scope); break;
      case 4: made = make_fold(type, height, scope); break;
      case 5: break;
      default: made = make_operator(type, height, scope); break;
    }
  }
  if (!made) made = leaf(type, scope);
  GYRE_CHECK(made->type == type, "the maker made an expression of another type");
  return made;
}

// Untyped where the text would mean the same type without a word.
Expr ExprMaker::literal(ScalarType type) {
  const ir::Value value = random_.value(type);
  const bool is_plain = type == ScalarType::I32 ||
                        (type == ScalarType::F64 && value.as<double>() - value.as<double>() == 0);
  if (!is_plain || random_.chance(20)) return ir::make_literal(value);
  return type == ScalarType::I32 ? number(value.as_integer())
                                 : ir::make_flexible(value.as<double>());
}

Expr ExprMaker::leaf(ScalarType type, const Scope& scope) {
  std::vector<SymbolId> fitting;
  for (const SymbolId id : scope.readable) {
    if (world_.program[id].type == type) fitting.push_back(id);
  }
  if (!fitting.empty() && random_.chance(75)) return world_.read(random_.pick(fitting));
  return literal(type);
}

Expr ExprMaker::make_operator(ScalarType type, int height, const Scope& scope) {
  for (int tries = 0; tries < 12; ++tries) {
    const ir::OpInfo& row = random_.pick(exact_operators());
    const ScalarType operand = row.result == ir::ResultClass::Same ? type : random_.value_type();
    if (ir::type_of_result(row.result, operand) != type) continue;
    if (!admits(row.operands, operand)) continue;
    std::vector<Expr> operands;
    for (int i = 0; i < row.arity; ++i) {
      const bool chooses = row.operands == ir::OperandClass::Chosen && i == 0;
      ScalarType wanted = chooses ? ScalarType::Bool : operand;
      // A narrower operand, that widens by itself.
      if (i == 1 && !chooses && random_.chance(15)) {
        if (wanted == ScalarType::I64) wanted = ScalarType::I32;
        if (wanted == ScalarType::F64) wanted = ScalarType::F32;
      }
      operands.push_back(make(wanted, height - 1, scope));
    }
    Expr made = make_apply(row.op, std::move(operands));
    if (made->type == type) return made;
  }
  return nullptr;
}

Expr ExprMaker::make_cast(ScalarType type, int height, const Scope& scope) {
  return ir::make_cast(type, make(random_.value_type(), height - 1, scope));
}

std::optional<Expr> ExprMaker::safe_coordinate(std::int64_t extent, const Scope& scope) {
  if (extent == 0) return std::nullopt;
  for (int tries = 0; tries < 3 && !scope.bounds.empty(); ++tries) {
    const auto at =
        std::next(scope.bounds.begin(), random_.between(0, std::ssize(scope.bounds) - 1));
    const std::int64_t offset = random_.chance(60) ? 0 : random_.between(-2, 2);
    const auto& [index, bounds] = *at;
    if (bounds.least + offset < 0 || bounds.greatest + offset >= extent) continue;
    if (offset == 0) return world_.read(index);
    return offset > 0 ? make_apply(Op::Add, {world_.read(index), number(offset)})
                      : make_apply(Op::Sub, {world_.read(index), number(-offset)});
  }
  return scrambled_coordinate(extent, scope);
}

Expr ExprMaker::scrambled_coordinate(std::int64_t extent, const Scope& scope) {
  if (random_.chance(40)) return number(random_.between(0, extent - 1));
  const ScalarType type = random_.chance(50) ? ScalarType::I32 : ScalarType::I64;
  const Expr any = leaf(type, scope);
  const Expr rest = make_apply(Op::Rem, {any, number(extent)});
  return make_apply(Op::Rem, {make_apply(Op::Add, {rest, number(extent)}), number(extent)});
}

std::optional<std::vector<Expr>> ExprMaker::stored_place(SymbolId buffer, const Scope& scope) {
  const std::vector<std::int64_t>& extents = world_.extents.at(buffer);
  const Footprint& footprint = scope.stored.at(buffer);
  std::vector<Expr> place;
  for (std::size_t d = 0; d < extents.size(); ++d) {
    const auto own = footprint.find(d);
    if (own != footprint.end()) {
      const auto& [index, offset] = own->second;
      const Expr read = world_.read(index);
      place.push_back(offset == 0 ? read : make_apply(Op::Add, {read, number(offset)}));
    } else if (extents[d] == 0) {
      return std::nullopt;
    } else {
      place.push_back(scrambled_coordinate(extents[d], scope));
    }
  }
  return place;
}

Expr ExprMaker::make_load(ScalarType type, int height, const Scope& scope) {
  std::vector<SymbolId> fitting;
  for (const SymbolId id : scope.loadable) {
    if (loaded_type(world_.program[id].type) == type) fitting.push_back(id);
  }
  if (fitting.empty()) return nullptr;
  const SymbolId buffer = random_.pick(fitting);
  const ScalarType element = world_.program[buffer].type;
  if (scope.stored.contains(buffer)) {
    auto place = stored_place(buffer, scope);
    if (!place) return nullptr;
    if (scope.independent_offset != 0 && random_.chance(60)) {
      (*place)[0] = make_apply(Op::Add, {(*place)[0], number(scope.independent_offset)});
    }
    return ir::make_load(buffer, element, std::move(*place));
  }
  if (random_.chance(20)) return guarded_load(buffer, scope);
  std::vector<Expr> place;
  for (const std::int64_t extent : world_.extents.at(buffer)) {
    if (world_.is_careless && random_.chance(20)) {
      place.push_back(make(ScalarType::I32, height - 1, scope));
      continue;
    }
    const auto coordinate = safe_coordinate(extent, scope);
    if (!coordinate) return guarded_load(buffer, scope);
    place.push_back(*coordinate);
  }
  return ir::make_load(buffer, element, std::move(place));
}

// select(0 <= i && i < n && …, buffer[i, …], literal): right for any i, and for an empty buffer.
Expr ExprMaker::guarded_load(SymbolId buffer, const Scope& scope) {
  const ir::Symbol& symbol = world_.program[buffer];
  std::vector<Expr> place;
  Expr inside;
  const auto require = [&](Expr condition) {
    inside = inside ? make_apply(Op::And, {inside, std::move(condition)}) : std::move(condition);
  };
  for (const Expr& extent : symbol.extents) {
    const Expr any = leaf(random_.chance(50) ? ScalarType::I32 : ScalarType::I64, scope);
    require(make_apply(Op::Le, {number(0), any}));
    require(make_apply(Op::Lt, {any, extent}));
    place.push_back(any);
  }
  const Expr load = ir::make_load(buffer, symbol.type, std::move(place));
  return make_apply(Op::Select, {inside, load, literal(load->type)});
}

FoldOp ExprMaker::fold_for(ScalarType type, bool one_range) {
  if (type == ScalarType::Bool) return random_.chance(50) ? FoldOp::Any : FoldOp::All;
  std::vector<FoldOp> fitting = {FoldOp::Sum, FoldOp::Sum, FoldOp::Prod, FoldOp::Min, FoldOp::Max};
  if (type == ScalarType::I64) {
    fitting.push_back(FoldOp::Count);
    if (one_range) fitting.insert(fitting.end(), {FoldOp::Argmin, FoldOp::Argmax});
  }
  return random_.pick(fitting);
}

Expr ExprMaker::make_fold(ScalarType type, int height, const Scope& scope) {
  const double affordable = most_work / scope.work;
  if (affordable < 2) return nullptr;
  Scope within = scope;
  std::vector<ir::Range> ranges;
  const int count = random_.chance(80) ? 1 : 2;
  for (int i = 0; i < count; ++i) {
    const auto left = static_cast<std::int64_t>(most_work / within.work);
    const MadeRange made = make_range(scope, std::max<std::int64_t>(left, 1));
    ranges.push_back(made.range);
    within.readable.push_back(made.range.index);
    within.bounds[made.range.index] = made.bounds;
    within.work *= static_cast<double>(std::max<std::int64_t>(made.most_points, 1));
  }
  const FoldOp op = fold_for(type, count == 1);
  ScalarType operand = type;
  if (folds_conditions(op)) operand = ScalarType::Bool;
  if (folds_to_index(op)) {
    do operand = random_.value_type();
    while (operand == ScalarType::Bool);
  }
  return ir::make_fold(op, std::move(ranges), make(operand, height - 1, within));
}

ExprMaker::Bound ExprMaker::make_bound(const Scope& scope, std::int64_t most) {
  if (!world_.sizes.empty() && random_.chance(50)) {
    const auto& [id, size] =
        *std::next(world_.sizes.begin(), random_.between(0, std::ssize(world_.sizes) - 1));
    if (size <= most) return {world_.read(id), size, size};
  }
  const std::int64_t top = random_.between(0, std::min<std::int64_t>(most, 9));
  if (random_.chance(70)) return {number(top), top, top};
  const ScalarType type = random_.chance(50) ? ScalarType::I32 : ScalarType::I64;
  return {clamped(make(type, 1, scope), top), 0, top};
}

// Any step but 0, unless the world is careless.
Expr ExprMaker::make_step(const Scope& scope) {
  const Expr any = leaf(ScalarType::I32, scope);
  if (world_.is_careless && random_.chance(30) && !ir::as<ir::Literal>(any)) return any;
  if (random_.chance(70)) return number(random_.chance(70) ? random_.between(1, 3) : -1);
  return make_apply(Op::BitOr, {any, number(1)});
}

MadeRange ExprMaker::make_range(const Scope& scope, std::int64_t most_points) {
  const std::int64_t most = std::max<std::int64_t>(most_points - 1, 0);
  Bound low{number(0), 0, 0};
  if (random_.chance(30)) low = make_bound(scope, std::min<std::int64_t>(most, 3));
  if (random_.chance(10)) low = {number(-1), -1, -1};
  Bound high = make_bound(scope, most);
  MadeRange made;
  const bool goes_down = random_.chance(15);
  made.range.begin = goes_down ? high.expr : low.expr;
  made.range.end = goes_down ? low.expr : high.expr;
  if (goes_down) made.range.step = number(random_.chance(70) ? -1 : -2);
  if (!goes_down && random_.chance(20)) made.range.step = make_step(scope);
  // Whichever way the step leads, an index stands between the bounds.
  made.bounds.least = std::min(low.least, high.least);
  made.bounds.greatest = std::max(low.greatest, high.greatest);
  if (!made.range.step) made.bounds = {low.least, std::max(low.least, high.greatest - 1)};
  made.most_points = made.bounds.greatest - made.bounds.least + 1;
  const ScalarType type = unify_range(made.range);
  GYRE_CHECK(type != ScalarType::Invalid, "the maker made a range of no type");
  made.range.index = world_.add("i", {.kind = ir::SymbolKind::Index, .type = type});
  return made;
}

}  // namespace gyre::support
