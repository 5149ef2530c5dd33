#include "gyre/ir/primitive.hpp"

namespace gyre::ir {
namespace {

constexpr PrimitiveInfo table[] = {
    {PrimitiveOp::Scan, "scan", "exclusive", true, false},
    {PrimitiveOp::Sort, "sort", "descending", false, false},
    {PrimitiveOp::Compact, "compact", "", false, true},
    {PrimitiveOp::Topk, "topk", "smallest", false, false},
    {PrimitiveOp::Histogram, "histogram", "", false, false},
    {PrimitiveOp::ReduceByKey, "reduce_by_key", "", true, true},
};

}  // namespace

std::span<const PrimitiveInfo> all_primitives() {
  return table;
}

const PrimitiveInfo& info(PrimitiveOp op) {
  return table[static_cast<std::size_t>(op)];
}

std::optional<PrimitiveOp> parse_primitive(std::string_view name) {
  for (const PrimitiveInfo& row : table) {
    if (row.name == name) return row.op;
  }
  return std::nullopt;
}

std::optional<std::size_t> output_of(const Primitive& op, std::size_t operand) {
  if (op.op == PrimitiveOp::Histogram) return std::nullopt;
  if (op.op == PrimitiveOp::Compact) {
    return operand == 0 ? std::nullopt : std::optional(operand - 1);
  }
  const bool is_folded =
      info(op.op).folds && operand == (op.op == PrimitiveOp::ReduceByKey ? 1U : 0U);
  return is_folded && folds_conditions(op.fold) ? std::nullopt : std::optional(operand);
}

// Negating floats turns the order around and leaves NaN last; swapping puts it first, as argmax
// has it. The least integer has no negative.
KeyOrder key_order(const Primitive& op) {
  const bool is_topk = op.op == PrimitiveOp::Topk;
  if (is_float(op.operands.front()->type)) return {.negated = op.option, .swapped = is_topk};
  return {.negated = false, .swapped = is_topk != op.option};
}

}  // namespace gyre::ir
