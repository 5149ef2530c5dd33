#include "gyre/ir/extent.hpp"

#include "gyre/ir/eval.hpp"

#include <array>
#include <utility>

namespace gyre::ir {
namespace {

bool overflows(Op op, const std::array<Value, 3>& operands) {
  if (operands[0].type() != ScalarType::I64) return false;
  const std::int64_t a = operands[0].as_integer();
  std::int64_t ignored = 0;
  switch (op) {
    case Op::Add: return __builtin_add_overflow(a, operands[1].as_integer(), &ignored);
    case Op::Sub: return __builtin_sub_overflow(a, operands[1].as_integer(), &ignored);
    case Op::Mul: return __builtin_mul_overflow(a, operands[1].as_integer(), &ignored);
    default: return false;
  }
}

}  // namespace

Value eval_constant(const Expr& expr, std::span<const Value> values, const std::string& what) {
  if (const auto* literal = as<Literal>(expr)) return literal->value;
  if (const auto* cast = as<Cast>(expr)) {
    return convert(eval_constant(cast->operand, values, what), expr->type);
  }
  if (const auto* read = as<Read>(expr)) {
    const Value& value = values[static_cast<std::size_t>(read->symbol)];
    GYRE_CHECK(value.type() == expr->type, what + " reads what is not bound before it");
    return value;
  }
  const auto* apply = as<Apply>(expr);
  GYRE_CHECK(apply != nullptr, what + " is no expression of sizes and literals");
  std::array<Value, 3> operands;
  for (std::size_t i = 0; i < apply->operands.size(); ++i) {
    operands.at(i) = eval_constant(apply->operands[i], values, what);
  }
  if (overflows(apply->op, operands)) throw UsageError(what + " overflows an i64");
  return eval(apply->op, std::span(operands.data(), apply->operands.size()));
}

std::optional<SolvedSize> solve_extent(const Expr& extent, std::int64_t actual) {
  if (const auto* read = as<Read>(extent)) return SolvedSize{read->symbol, actual};
  const auto* apply = as<Apply>(extent);
  if (apply == nullptr || apply->operands.size() != 2) return std::nullopt;
  Expr of = apply->operands[0];
  Expr constant = apply->operands[1];
  if (apply->op != Op::Sub && as<Literal>(of) != nullptr) std::swap(of, constant);
  const auto* literal = as<Literal>(constant);
  if (literal == nullptr || !is_integer(literal->value.type())) return std::nullopt;

  const std::int64_t c = literal->value.as_integer();
  std::int64_t rest = 0;
  switch (apply->op) {
    case Op::Add:
      if (__builtin_sub_overflow(actual, c, &rest)) return std::nullopt;
      break;
    case Op::Sub:
      if (__builtin_add_overflow(actual, c, &rest)) return std::nullopt;
      break;
    case Op::Mul:
      if (c <= 0 || actual % c != 0) return std::nullopt;
      rest = actual / c;
      break;
    default: return std::nullopt;
  }
  return solve_extent(of, rest);
}

}  // namespace gyre::ir
