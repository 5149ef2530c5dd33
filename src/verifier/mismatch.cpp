#include "mismatch.hpp"

#include <cmath>
#include <utility>

namespace gyre::verifier {

using ir::ScalarType;

namespace {

// A value in few words: its name where it has one, else dots.
std::string brief(const Survey& survey, const ir::Expr& value) {
  if (const auto* read = ir::as<ir::Read>(value)) return survey.symbol(read->symbol).name;
  if (const auto* load = ir::as<ir::Load>(value)) return survey.symbol(load->buffer).name + "[…]";
  if (const auto* literal = ir::as<ir::Literal>(value)) return to_string(literal->value);
  return "…";
}

}  // namespace

std::string conversion_hint(const Survey& survey, const ir::Expr& value, ScalarType to) {
  const std::string it = brief(survey, value);
  if (to == ScalarType::Bool) {
    return "compare it: " + (it == "…" ? "(…)" : it) + " != 0";
  }
  if (value->type == ScalarType::Bool) {
    return "choose a number by it: select(" + it + ", 1, 0)";
  }
  return "convert it: " + std::string(name_of(to)) + "(" + it + ")";
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
