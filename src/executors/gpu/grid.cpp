#include "grid.hpp"

#include "gyre/ir/eval.hpp"
#include "gyre/ir/scalar_ops.hpp"
#include "gyre/ir/strands.hpp"
#include "gyre/ir/visitor.hpp"

#include <algorithm>
#include <variant>
#include <vector>

namespace gyre::executors {
namespace {

/// As many as strands of an outer fold fill.
constexpr unsigned most_blocks = 1024;

bool reads_only_sizes(const plan::Plan& plan, const ir::Expr& expr) {
  bool only = true;
  ir::for_each_expr(expr, [&](const ir::Expr& node) {
    if (const auto* read = ir::as<ir::Read>(node)) {
      only = only && plan[read->symbol].kind == ir::SymbolKind::Size;
    }
    only = only && ir::as<ir::Load>(node) == nullptr && ir::as<ir::Fold>(node) == nullptr;
  });
  return only;
}

// A bound as the kernel will compute it: i64 wraps.
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

}  // namespace

// A sweep's grid follows from its extents where those are known here; else the largest grid serves,
// whose blocks past the end have nothing to do.
unsigned blocks_of(const plan::Plan& plan, const plan::Kernel& kernel, const ir::Bound& bound) {
  if (!kernel.sweep) return 1;
  long long points = 1;
  for (const ir::Range& range : kernel.sweep->ranges) {
    for (const ir::Expr& bound_expr : {range.begin, range.end, range.step}) {
      if (bound_expr && !reads_only_sizes(plan, bound_expr)) return most_blocks;
    }
    const auto value = [&](const ir::Expr& expr) {
      return evaluate(expr, bound.values).as_integer();
    };
    points *= static_cast<long long>(ops::range_extent(value(range.begin), value(range.end),
                                                       range.step ? value(range.step) : 1));
  }
  const long long strands = std::min(points, strands::outer(points));
  return static_cast<unsigned>(std::max(1LL, (strands + block_threads - 1) / block_threads));
}

}  // namespace gyre::executors
