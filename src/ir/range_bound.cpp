#include "gyre/ir/range_bound.hpp"

#include "gyre/ir/visitor.hpp"

namespace gyre::ir {
namespace {

bool is_literal_from(const Expr& expr, std::int64_t least) {
  const auto* literal = as<Literal>(expr);
  return literal != nullptr && is_integer(expr->type) && literal->value.as_integer() >= least;
}

bool is_index(const Expr& expr, SymbolId index) {
  if (const auto* cast = as<Cast>(expr)) return cast->implicit && is_index(cast->operand, index);
  const auto* read = as<Read>(expr);
  return read != nullptr && read->symbol == index;
}

// The extent of a buffer that is loaded at `index` wherever `expr` is evaluated.
Expr extent_at(const Program& program, SymbolId index, const Expr& expr) {
  std::vector<Expr> parts;
  if (const auto* load = as<Load>(expr)) {
    const std::vector<Expr>& extents = program[load->buffer].extents;
    for (std::size_t d = 0; d < load->index.size() && d < extents.size(); ++d) {
      if (is_index(load->index[d], index)) return extents[d];
    }
    parts = load->index;
  } else if (const auto* cast = as<Cast>(expr)) {
    parts = {cast->operand};
  } else if (const auto* apply = as<Apply>(expr)) {
    const bool chooses = apply->op == Op::And || apply->op == Op::Or || apply->op == Op::Select;
    parts = apply->operands;
    if (chooses && !parts.empty()) parts.resize(1);
  }
  for (const Expr& part : parts) {
    if (const Expr found = extent_at(program, index, part)) return found;
  }
  return nullptr;
}

}  // namespace

bool is_extent(const Program& program, const Expr& expr) {
  bool is_one = true;
  for_each_expr(expr, [&](const Expr& node) {
    const auto* read = as<Read>(node);
    is_one = is_one && as<Load>(node) == nullptr && as<Fold>(node) == nullptr &&
             (read == nullptr || program[read->symbol].kind == SymbolKind::Size);
  });
  return is_one;
}

Expr bound_of(const Program& program, const Range& range, const Expr& operand) {
  const bool goes_up = !range.step || is_literal_from(range.step, 1);
  if (goes_up && is_literal_from(range.begin, 0) && is_extent(program, range.end)) {
    return range.end;
  }
  return extent_at(program, range.index, operand);
}

}  // namespace gyre::ir
