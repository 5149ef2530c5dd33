#include "grid.hpp"

#include "gyre/ir/eval.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/strands.hpp"
#include "gyre/plan/touches.hpp"

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

namespace gyre::executors {
namespace {

/// As many as strands of an outer fold fill.
constexpr unsigned most_blocks = 1024;

}  // namespace

ir::Value evaluate(const ir::Expr& expr, const std::vector<ir::Value>& values) {
  if (const auto* literal = ir::as<ir::Literal>(expr)) return literal->value;
  if (const auto* read = ir::as<ir::Read>(expr)) {
    return values.at(static_cast<std::size_t>(read->symbol));
  }
  if (const auto* cast = ir::as<ir::Cast>(expr)) {
    return ir::convert(evaluate(cast->operand, values), expr->type);
  }
  const auto& apply = std::get<ir::Apply>(expr->kind);
  std::vector<ir::Value> operands;
  for (const ir::Expr& operand : apply.operands) operands.push_back(evaluate(operand, values));
  return ir::eval(apply.op, operands);
}

std::optional<long long> points_of(const plan::Plan& plan, const plan::Sweep& sweep,
                                   const ir::Bound& bound) {
  if (!plan::has_fixed_points(plan, sweep)) return std::nullopt;
  const auto value = [&](const ir::Expr& expr) {
    return evaluate(expr, bound.values).as_integer();
  };
  long long points = 1;
  for (const ir::Range& range : sweep.ranges) {
    points *= static_cast<long long>(ops::range_extent(value(range.begin), value(range.end),
                                                       range.step ? value(range.step) : 1));
  }
  return points;
}

unsigned strand_blocks(std::optional<long long> points) {
  if (!points) return most_blocks;
  const long long strands = std::min(*points, strands::outer(*points));
  return static_cast<unsigned>(std::max(1LL, (strands + block_threads - 1) / block_threads));
}

// Where extents are not known here the largest grid serves, whose blocks past the end have nothing
// to do.
unsigned blocks_of(const plan::Plan& plan, const plan::Kernel& kernel, const ir::Bound& bound,
                   unsigned lanes) {
  if (!kernel.sweep) return 1;
  const auto points = points_of(plan, *kernel.sweep, bound);
  if (lanes == 1 || !points) return strand_blocks(points);
  const long long each = block_threads / lanes;
  return static_cast<unsigned>(std::clamp<long long>((*points + each - 1) / each, 1, most_blocks));
}

}  // namespace gyre::executors
