#include "gyre/ir/constant_value.hpp"

#include "gyre/ir/eval.hpp"

#include <vector>

namespace gyre::ir {

std::optional<Value> constant_value(const Expr& expr) {
  if (const auto* literal = as<Literal>(expr)) return literal->value;
  if (const auto* cast = as<Cast>(expr)) {
    const auto operand = constant_value(cast->operand);
    return operand ? std::optional(convert(*operand, expr->type)) : std::nullopt;
  }
  const auto* apply = as<Apply>(expr);
  if (apply == nullptr) return std::nullopt;
  std::vector<Value> operands;
  for (const Expr& one : apply->operands) {
    const auto operand = constant_value(one);
    if (!operand) return std::nullopt;
    operands.push_back(*operand);
  }
  return eval(apply->op, operands);
}

}  // namespace gyre::ir
