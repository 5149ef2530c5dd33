#include "support/random_statement.hpp"

#include <algorithm>

namespace gyre::support {

using ir::FoldOp;
using ir::make_region;
using ir::PrimitiveOp;
using ir::ScalarType;
using ir::SymbolId;
using Out = std::vector<ir::Region>;

namespace {

constexpr std::int64_t longest = 1600;

}  // namespace

// Over a range that another buffer has, or over any; what it writes has room but for the careless.
void StatementMaker::primitive(Scope& scope, Out& out) {
  ir::Primitive op;
  op.op = random_.pick(std::vector{PrimitiveOp::Scan, PrimitiveOp::Sort, PrimitiveOp::Compact,
                                   PrimitiveOp::Topk, PrimitiveOp::Histogram,
                                   PrimitiveOp::ReduceByKey});
  std::vector<SymbolId> lists;
  for (const SymbolId id : scope.loadable) {
    const auto& extents = world_.extents.at(id);
    if (extents.size() == 1 && extents[0] <= longest) lists.push_back(id);
  }
  if (lists.empty()) return;
  const SymbolId list = random_.pick(lists);
  const std::int64_t room = world_.extents.at(list)[0];
  // A sort that is interpreted ranks by counting.
  const double cost = static_cast<double>(std::min<std::int64_t>(room, 256) * room);
  if (scope.work * cost > 100 * most_work) return;

  Scope within = primitive_range(scope, list, op);
  const FoldOp number_fold =
      random_.pick(std::vector{FoldOp::Sum, FoldOp::Prod, FoldOp::Min, FoldOp::Max});
  const FoldOp bool_fold = random_.pick(std::vector{FoldOp::Any, FoldOp::All, FoldOp::Count});
  op.fold = random_.chance(70) ? number_fold : bool_fold;
  op.option = !info(op.op).option.empty() && random_.chance(50);
  primitive_operands(scope, within, list, op, out);
  out.push_back(make_region(std::move(op)));
}

// The range, and what its index adds to the scope.
Scope StatementMaker::primitive_range(const Scope& scope, SymbolId list, ir::Primitive& op) {
  const std::int64_t room = world_.extents.at(list)[0];
  MadeRange made;
  // The bound of a topk shows in its range.
  if (room == 0 || op.op == PrimitiveOp::Topk || random_.chance(60)) {
    made.range = {{}, number(0), world_.program[list].extents[0], nullptr};
    const ScalarType type = unify_range(made.range);
    made.range.index = world_.add("i", {.kind = ir::SymbolKind::Index, .type = type});
    made.bounds = {0, room - 1};
  } else {
    made = exprs_.make_range(scope, room);
  }
  op.range = made.range;
  Scope within = scope;
  within.readable.push_back(made.range.index);
  within.bounds[made.range.index] = made.bounds;
  within.work *= static_cast<double>(std::max<std::int64_t>(room, 1)) * 16;
  return within;
}

void StatementMaker::primitive_operands(Scope& scope, Scope& within, SymbolId list,
                                        ir::Primitive& op, Out& out) {
  const auto output = [&](ScalarType type) {
    op.outputs.push_back(primitive_output(scope, list, type, op, out));
    // Both store while they read.
    if (op.op == PrimitiveOp::Compact || op.op == PrimitiveOp::ReduceByKey) {
      std::erase(within.loadable, op.outputs.back());
    }
  };
  const auto integer = [&] { return random_.chance(50) ? ScalarType::I32 : ScalarType::I64; };
  const auto number_type = [&] {
    ScalarType type = random_.element_type();
    while (type == ScalarType::Bool) type = random_.element_type();
    return type;
  };
  const auto folded = [&] {
    if (op.fold == FoldOp::Count) return ScalarType::I64;
    return folds_conditions(op.fold) ? ScalarType::Bool : number_type();
  };
  std::vector<ScalarType> types;
  switch (op.op) {
    case PrimitiveOp::Scan: types = {folded()}; break;
    case PrimitiveOp::Sort:
      types = {number_type()};
      while (random_.chance(40)) types.push_back(random_.element_type());
      break;
    case PrimitiveOp::Compact:
      do types.push_back(random_.element_type());
      while (random_.chance(30));
      break;
    case PrimitiveOp::Topk:
      types = {number_type()};
      if (random_.chance(70)) types.push_back(integer());
      break;
    case PrimitiveOp::Histogram: types = {integer()}; break;
    case PrimitiveOp::ReduceByKey: types = {random_.element_type(), folded()}; break;
  }
  for (const ScalarType type : types) output(type);
  if (info(op.op).counts) op.outputs.push_back(primitive_count(scope, integer(), out));

  const std::size_t operands = op.op == PrimitiveOp::Topk ? 1 : types.size();
  if (op.op == PrimitiveOp::Compact) op.operands.push_back(condition(within));
  if (op.op == PrimitiveOp::Histogram) types[0] = integer();
  for (std::size_t i = 0; i < operands; ++i) {
    const bool is_condition = info(op.op).folds && i + 1 == operands && folds_conditions(op.fold);
    op.operands.push_back(value(is_condition ? ScalarType::Bool : loaded_type(types[i]), within));
  }
}

// A buffer of that type with as many places as `list` has: one that is there, or a new temp.
SymbolId StatementMaker::primitive_output(Scope& scope, SymbolId list, ScalarType type,
                                          const ir::Primitive& op, Out& out) {
  const std::int64_t room =
      world_.is_careless && random_.chance(30) ? random_.between(0, 3) : world_.extents.at(list)[0];
  std::vector<SymbolId> fitting;
  for (const SymbolId id : scope.storable) {
    const auto& extents = world_.extents.at(id);
    const bool is_taken = std::find(op.outputs.begin(), op.outputs.end(), id) != op.outputs.end();
    if (world_.program[id].type == type && extents.size() == 1 && extents[0] >= room && !is_taken) {
      fitting.push_back(id);
    }
  }
  if (!fitting.empty() && random_.chance(70)) return random_.pick(fitting);
  const SymbolId id = world_.add("t", {.kind = ir::SymbolKind::Buffer,
                                       .type = type,
                                       .intent = ir::Intent::Temp,
                                       .extents = world_.program[list].extents});
  world_.extents[id] = std::vector<std::int64_t>(world_.extents.at(list));
  out.push_back(make_region(ir::Declare{id}));
  scope.loadable.push_back(id);
  scope.storable.push_back(id);
  return id;
}

SymbolId StatementMaker::primitive_count(Scope& scope, ScalarType type, Out& out) {
  for (const SymbolId id : scope.assignable) {
    if (world_.program[id].type == type && random_.chance(50)) return id;
  }
  const SymbolId id =
      world_.add("v", {.kind = ir::SymbolKind::Scalar, .type = type, .intent = ir::Intent::Var});
  out.push_back(make_region(ir::Declare{id}));
  scope.readable.push_back(id);
  scope.assignable.push_back(id);
  return id;
}

}  // namespace gyre::support
