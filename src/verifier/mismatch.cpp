#include "mismatch.hpp"

#include <cmath>
#include <utility>

namespace gyre::verifier {

using ir::ScalarType;

std::string conversion_hint(ScalarType from, ScalarType to) {
  if (to == ScalarType::Bool && ir::is_number(from)) return "compare it: x != 0";
  if (from == ScalarType::Bool && ir::is_number(to)) {
    return "choose a number by it: select(x, 1, 0)";
  }
  return "convert it: " + std::string(name_of(to)) + "(x)";
}

bool is_misfit_literal(const ir::Expr& expr, ScalarType type) {
  const auto* literal = ir::as<ir::Literal>(expr);
  if (literal == nullptr || !literal->flexible || expr->type == type) return false;
  if (type == ScalarType::I32 && ir::is_integer(expr->type)) {
    return !std::in_range<std::int32_t>(literal->value.as_integer());
  }
  if (type == ScalarType::F32 && expr->type == ScalarType::F64) {
    const double number = literal->value.as<double>();
    return std::isfinite(number) && std::isinf(static_cast<float>(number));
  }
  return false;
}

bool is_mismatch(const ir::Expr& value, ScalarType wanted) {
  if (value->type == ScalarType::Invalid || wanted == ScalarType::Invalid) return false;
  return value->type != wanted && !is_misfit_literal(value, wanted);
}

}  // namespace gyre::verifier
