#include "primitive_terms.hpp"

#include "gyre/ir/range_bound.hpp"
#include "gyre/ir/visitor.hpp"

#include <algorithm>

namespace gyre::passes {
namespace {

using ir::Op;
using ir::ScalarType;

bool is_literal(const ir::Expr& expr, std::int64_t value) {
  const auto* literal = ir::as<ir::Literal>(expr);
  return literal != nullptr && literal->value.as_integer() == value;
}

bool is_length(const ir::Expr& expr) {
  const auto* literal = ir::as<ir::Literal>(expr);
  return literal != nullptr && literal->value.as_integer() >= 0;
}

bool is_size(const ir::Program& program, const ir::Expr& expr) {
  const auto* read = ir::as<ir::Read>(expr);
  return read != nullptr && program[read->symbol].kind == ir::SymbolKind::Size;
}

}  // namespace

PrimitiveTerms::PrimitiveTerms(Sketch& sketch, const ir::Primitive& op)
    : sketch_(sketch), op_(op), begin_(0), step_(1), count_(0) {
  const ir::Range& range = op.range;
  // The usual range needs no arithmetic, and fuses with loops that the program writes.
  if (is_literal(range.begin, 0) && !range.step &&
      (is_size(sketch.program(), range.end) || is_length(range.end))) {
    count_ = cast(ScalarType::I64, range.end);
    return;
  }
  const auto named = [&](const char* name, const ir::Expr& bound) {
    const Term wide = cast(ScalarType::I64, bound);
    return ir::as<ir::Literal>(bound) != nullptr ? wide : sketch.let(name, wide);
  };
  begin_ = named("begin", range.begin);
  const Term end = named("end", range.end);
  if (range.step) step_ = named("step", range.step);
  if (ir::step_may_be_zero(range)) sketch.check_step(step_);
  count_ = sketch.let("count", apply(Op::Extent, begin_, end, step_));
}

Term PrimitiveTerms::index(const Term& position) const {
  Term index = position;
  if (!is_literal(step_.expr, 1)) index = index * step_;
  if (!is_literal(begin_.expr, 0)) index = begin_ + index;
  return cast(sketch_.program()[op_.range.index].type, index);
}

Term PrimitiveTerms::at(std::size_t operand, const Term& position) const {
  return sketch_.substitute(op_.operands[operand], op_.range.index, index(position));
}

std::optional<Term> PrimitiveTerms::bound(std::size_t operand) const {
  const ir::Expr extent = ir::bound_of(sketch_.program(), op_.range, op_.operands[operand]);
  if (!extent) return std::nullopt;
  return is_size(sketch_.program(), extent) ? Term(extent) : max(cast(ScalarType::I64, extent), 0);
}

bool PrimitiveTerms::always_fits(const Term& extent) const {
  return ir::same_expr(count_.expr, extent.expr);
}

// An element past the end is looked at where there are too many.
void PrimitiveTerms::check_room() const {
  for (const ir::SymbolId output : op_.outputs) {
    const Array array = sketch_.array(output);
    const Term extent = sketch_.extent(array);
    if (always_fits(extent)) continue;
    const Term past = array[count_ - 1];
    sketch_.let("room",
                select(extent < count_, past, ir::make_literal(ir::Value::zero(past.expr->type))));
  }
}

std::optional<Array> PrimitiveTerms::plain_array(std::size_t operand) const {
  const auto* load = ir::as<ir::Load>(op_.operands[operand]);
  if (load == nullptr || load->index.size() != 1) return std::nullopt;
  const auto* index = ir::as<ir::Read>(load->index[0]);
  const Array array = sketch_.array(load->buffer);
  const bool is_whole = index != nullptr && index->symbol == op_.range.index &&
                        is_literal(begin_.expr, 0) && is_literal(step_.expr, 1) &&
                        always_fits(sketch_.extent(array));
  return is_whole ? std::optional(array) : std::nullopt;
}

std::optional<std::vector<Array>> PrimitiveTerms::plain_arrays() const {
  std::vector<Array> arrays;
  for (std::size_t i = 0; i < op_.operands.size(); ++i) {
    const auto array = plain_array(i);
    if (!array) return std::nullopt;
    arrays.push_back(*array);
  }
  return arrays;
}

bool PrimitiveTerms::wants_place(std::size_t operand) const {
  bool wants = ir::contains_fold(op_.operands[operand]);
  ir::for_each_expr(op_.operands[operand], [&](const ir::Expr& node) {
    const auto* load = ir::as<ir::Load>(node);
    wants = wants || (load != nullptr && std::find(op_.outputs.begin(), op_.outputs.end(),
                                                   load->buffer) != op_.outputs.end());
  });
  return wants;
}

}  // namespace gyre::passes
