#include "interpret_expr.hpp"

#include "gyre/ir/eval.hpp"
#include "gyre/ir/fault_text.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/strands.hpp"

#include <array>
#include <limits>
#include <utility>

namespace gyre::ir {

Value ReadRange::at(std::uint64_t position) const {
  const auto offset = static_cast<std::uint64_t>(step) * position;
  return convert(Value(static_cast<std::int64_t>(static_cast<std::uint64_t>(begin) + offset)),
                 type);
}

Value Evaluator::eval(const Expr& expr) {
  return std::visit([&](const auto& kind) { return eval_node(*expr, kind); }, expr->kind);
}

Value Evaluator::eval_node(const ExprNode&, const Literal& literal) {
  return literal.value;
}

Value Evaluator::eval_node(const ExprNode&, const Read& read) {
  return memory_.value(read.symbol);
}

Value Evaluator::eval_node(const ExprNode&, const Load& node) {
  return load(node.buffer, eval_index(node.index));
}

Value Evaluator::eval_node(const ExprNode&, const Apply& apply) {
  const std::vector<Expr>& operands = apply.operands;
  switch (apply.op) {
    case Op::And: return Value(holds(operands[0]) && holds(operands[1]));
    case Op::Or: return Value(holds(operands[0]) || holds(operands[1]));
    case Op::Select: return eval(operands[holds(operands[0]) ? 1 : 2]);
    default: break;
  }
  std::array<Value, 3> values;
  for (std::size_t i = 0; i < operands.size(); ++i) values.at(i) = eval(operands[i]);
  return ir::eval(apply.op, std::span(values.data(), operands.size()));
}

Value Evaluator::eval_node(const ExprNode& node, const Cast& cast) {
  return convert(eval(cast.operand), node.type);
}

Value Evaluator::eval_node(const ExprNode&, const Fold& fold) {
  const IndexSpace space = read_space(fold.ranges);
  const auto terms = static_cast<std::int64_t>(space.count);
  StrandFold folded(fold.op, fold.operand->type,
                    within ? strands::inner(terms) : strands::outer(terms));
  const bool outside = std::exchange(within, true);
  for_each_point(space, [&](std::int64_t) {
    const Value term = eval(fold.operand);
    // Only a fold to an index asks where a term stands, and those have one range.
    folded.add(term, memory_.value(space.ranges[0].index).as_integer());
  });
  within = outside;
  return folded.finish();
}

ReadRange Evaluator::read_range(const Range& range) {
  ReadRange read{range.index, range.begin->type};
  read.begin = eval(range.begin).as_integer();
  const std::int64_t end = eval(range.end).as_integer();
  if (range.step) read.step = eval(range.step).as_integer();
  if (read.step == 0) fault_zero_step();
  read.count = ops::range_extent(read.begin, end, read.step);
  return read;
}

IndexSpace Evaluator::read_space(const std::vector<Range>& ranges) {
  IndexSpace space;
  bool empty = false;
  for (const Range& range : ranges) {
    space.ranges.push_back(read_range(range));
    empty = empty || space.ranges.back().count == 0;
    if (__builtin_mul_overflow(space.count, space.ranges.back().count, &space.count) ||
        space.count > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      // More points than any run reaches.
      space.count = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    }
  }
  if (empty) space.count = 0;
  return space;
}

std::vector<std::int64_t> Evaluator::eval_index(const std::vector<Expr>& index) {
  std::vector<std::int64_t> values;
  values.reserve(index.size());
  for (const Expr& expr : index) values.push_back(eval(expr).as_integer());
  return values;
}

std::int64_t Evaluator::locate(SymbolId buffer, const std::vector<std::int64_t>& index) {
  const BufferView& view = memory_.buffer(buffer);
  std::int64_t at = 0;
  for (std::size_t d = 0; d < index.size(); ++d) {
    if (index[d] < 0 || index[d] >= view.extents[d]) {
      fault(FaultKind::OutOfBounds,
            out_of_bounds_text(memory_.symbol(buffer).name, index, view.type, view.extents));
    }
    at = at * view.extents[d] + index[d];
  }
  return at;
}

Value Evaluator::load(SymbolId buffer, const std::vector<std::int64_t>& index) {
  const std::int64_t at = locate(buffer, index);
  if (watch != nullptr && watch->load_breaks(buffer, at)) promise_broken(buffer, index);
  const BufferView& view = memory_.buffer(buffer);
  return load_element(view.type, view.data, at);
}

void Evaluator::store(SymbolId buffer, const std::vector<std::int64_t>& index, const Value& value) {
  const std::int64_t at = locate(buffer, index);
  if (watch != nullptr && watch->store_breaks(buffer, at)) promise_broken(buffer, index);
  const BufferView& view = memory_.buffer(buffer);
  store_element(view.type, view.data, at, value);
}

void Evaluator::add_to(SymbolId buffer, const std::vector<std::int64_t>& index,
                       const Value& value) {
  const std::int64_t at = locate(buffer, index);
  const BufferView& view = memory_.buffer(buffer);
  const Value operands[] = {load_element(view.type, view.data, at), value};
  store_element(view.type, view.data, at, ir::eval(Op::Add, operands));
}

void Evaluator::promise_broken(SymbolId buffer, const std::vector<std::int64_t>& index) const {
  fault(FaultKind::BrokenPromise, broken_promise_text(memory_.symbol(buffer).name, index));
}

void Evaluator::fault_zero_step() const {
  fault(FaultKind::ZeroStep, zero_step_text());
}

void Evaluator::fault(FaultKind kind, std::string detail) const {
  Ending ending{Status::Fault, kind, *region};
  ending.detail = std::move(detail);
  throw ending;
}

}  // namespace gyre::ir
