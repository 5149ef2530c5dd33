#include "emit_expr.hpp"
#include "emit_kernel.hpp"
#include "emit_text.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/touches.hpp"

#include <algorithm>
#include <utility>

namespace gyre::jit {
namespace {

// With more the values of strands under way would not be in registers.
constexpr std::size_t most_together = 4;

// The fold that a statement's value is, unless its terms fold themselves.
const ir::Expr* whole_fold(const plan::Statement& statement) {
  const ir::Expr* value = nullptr;
  if (const auto* define = std::get_if<plan::Define>(&statement.kind)) value = &define->value;
  if (const auto* set = std::get_if<plan::Set>(&statement.kind)) value = &set->value;
  if (const auto* store = std::get_if<plan::Store>(&statement.kind)) value = &store->value;
  const auto* fold = value != nullptr ? ir::as<ir::Fold>(*value) : nullptr;
  return fold != nullptr && !ir::contains_fold(fold->operand) ? value : nullptr;
}

bool have_same_ranges(const plan::Plan& plan, const ir::Fold& a, const ir::Fold& b) {
  return std::equal(a.ranges.begin(), a.ranges.end(), b.ranges.begin(), b.ranges.end(),
                    [&](const ir::Range& one, const ir::Range& other) {
                      return plan[one.index].type == plan[other.index].type &&
                             plan::have_same_bounds(one, other);
                    });
}

// What a statement changes: a local or a buffer.
ir::SymbolId target_of(const plan::Statement& statement) {
  if (const auto* define = std::get_if<plan::Define>(&statement.kind)) return define->local;
  if (const auto* set = std::get_if<plan::Set>(&statement.kind)) return set->local;
  return std::get<plan::Store>(statement.kind).buffer;
}

bool needs(const plan::Statement& statement, ir::SymbolId changed) {
  const auto exprs = plan::exprs_of(statement);
  return std::any_of(exprs.begin(), exprs.end(), [&](const ir::Expr& expr) {
    bool found = false;
    if (!expr) return found;
    ir::for_each_expr(expr, [&](const ir::Expr& node) {
      const auto* read = ir::as<ir::Read>(node);
      const auto* load = ir::as<ir::Load>(node);
      found = found || (read != nullptr && read->symbol == changed) ||
              (load != nullptr && load->buffer == changed);
    });
    return found;
  });
}

}  // namespace

std::string EmitExpr::together(const std::vector<const ir::Fold*>& folds) {
  const ir::Fold& first = *folds.front();
  const std::string over = this->over(first.ranges);
  std::vector<std::string> indices;
  for (const ir::Range& one : first.ranges) {
    indices.push_back(cpp_type(plan_[one.index].type) + " " + name(one.index));
  }
  std::string body;
  std::string kind;
  std::string terms;
  const Folds outer = std::exchange(folds_, Folds::Short);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    for (std::size_t r = 0; i > 0 && r < first.ranges.size(); ++r) {
      const ir::SymbolId index = folds[i]->ranges[r].index;
      body += "const " + cpp_type(plan_[index].type) + " " + name(index) + " = " +
              name(first.ranges[r].index) + ";\n";
    }
    const bool is_last = i + 1 == folds.size();
    const std::string one = cpp_fold(folds[i]->op, folds[i]->operand->type);
    kind += is_last ? one : "gyre::Both<" + one + ", ";
    terms += (is_last ? "" : "gyre::Pair{") + whole(folds[i]->operand) + (is_last ? "" : ", ");
  }
  folds_ = outer;
  body += "return " + terms + std::string(folds.size() - 1, '}') + ";";
  const std::string term = "[&](" + joined(indices) + ") {\n" + indented(body) + "\n}";
  return "gyre::fold<" + kind + std::string(folds.size() - 1, '>') + ">(" + over + ")\n" +
         indented(folded(folds_ == Folds::Short, term), 2);
}

std::size_t EmitKernel::folds_together(std::span<const plan::Statement> list) const {
  if (checked_ || form_ == FoldForm::Staged) return 0;
  std::size_t count = 0;
  for (; count < std::min(list.size(), most_together); ++count) {
    const ir::Expr* value = whole_fold(list[count]);
    if (value == nullptr || expr_.is_replaced(*value)) break;
    const auto& first = *ir::as<ir::Fold>(*whole_fold(list[0]));
    const bool waits = std::any_of(
        list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count),
        [&](const plan::Statement& before) { return needs(list[count], target_of(before)); });
    if (waits || !have_same_ranges(context_.plan, first, *ir::as<ir::Fold>(*value))) break;
  }
  return count;
}

void EmitKernel::statements_that_fold(std::span<const plan::Statement> list) {
  std::vector<const ir::Fold*> folds;
  for (const plan::Statement& one : list) folds.push_back(ir::as<ir::Fold>(*whole_fold(one)));
  const std::string name = "folds" + number(statement_ + 1);
  run("const auto " + name + " = " + expr_.together(folds) + ";");
  std::string rest = name;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const bool is_last = i + 1 == list.size();
    expr_.replace(*whole_fold(list[i]), is_last ? rest : rest + ".first");
    rest += ".second";
  }
  for (const plan::Statement& one : list) {
    statement(one);
    expr_.restore(*whole_fold(one));
  }
}

}  // namespace gyre::jit
