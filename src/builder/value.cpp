#include "gyre/builder/value.hpp"

#include "gyre/base/error.hpp"
#include "gyre/builder/recorder.hpp"

#include <limits>
#include <utility>
#include <vector>

namespace gyre::builder::detail {

AnyValue literal(bool value) {
  return {ir::make_literal(ir::Value(value)), nullptr};
}

AnyValue literal(std::int64_t value) {
  return {ir::make_flexible(value), nullptr};
}

AnyValue literal(std::uint64_t value) {
  if (!std::in_range<std::int64_t>(value)) {
    throw UsageError("the constant " + std::to_string(value) + " does not fit an i64");
  }
  return literal(static_cast<std::int64_t>(value));
}

AnyValue literal(double value) {
  return {ir::make_flexible(value), nullptr};
}

std::shared_ptr<Recorder> common_owner(std::span<const AnyValue> values) {
  std::shared_ptr<Recorder> owner;
  for (const AnyValue& value : values) {
    if (!value.owner || value.owner == owner) continue;
    if (owner) {
      throw UsageError("an expression mixes values of program '" + owner->name() + "' and of '" +
                       value.owner->name() + "'");
    }
    owner = value.owner;
  }
  return owner;
}

AnyValue apply(ir::Op op, std::span<const AnyValue> operands) {
  AnyValue result{nullptr, common_owner(operands)};
  std::vector<ir::Expr> exprs;
  for (const AnyValue& operand : operands) {
    exprs.push_back(operand.expr);
    result.nodes += operand.nodes;
  }
  result.expr = ir::make_apply(op, std::move(exprs));
  Recorder::check_size(result);
  return result;
}

AnyValue cast(ir::ScalarType type, const AnyValue& operand) {
  AnyValue result{ir::make_cast(type, operand.expr), operand.owner, operand.nodes + 1};
  Recorder::check_size(result);
  return result;
}

AnyValue coerce(const AnyValue& value, ir::ScalarType type) {
  return {ir::coerce(value.expr, type), value.owner, value.nodes + 1};
}

void check_type(const AnyValue& value, ir::ScalarType type) {
  GYRE_CHECK(value.expr->type == type || value.expr->type == ir::ScalarType::Invalid,
             "the builder typed an expression otherwise than the IR");
}

}  // namespace gyre::builder::detail
