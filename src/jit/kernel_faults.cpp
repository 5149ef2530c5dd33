#include "kernel_faults.hpp"

#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

bool has_uncertain_fold(const ir::Expr& expr) {
  bool found = false;
  if (!expr) return false;
  ir::for_each_expr(expr, [&](const ir::Expr& node) {
    const auto* fold = ir::as<ir::Fold>(node);
    if (fold == nullptr) return;
    found = found || std::any_of(fold->ranges.begin(), fold->ranges.end(), ir::step_may_be_zero);
  });
  return found;
}

std::vector<ir::Expr> exprs_of(const plan::Statement& statement) {
  struct Exprs {
    std::vector<ir::Expr> operator()(const plan::Define& op) const { return {op.value}; }
    std::vector<ir::Expr> operator()(const plan::Set& op) const { return {op.value}; }
    std::vector<ir::Expr> operator()(const plan::Store& op) const {
      auto all = op.index;
      all.push_back(op.value);
      return all;
    }
    std::vector<ir::Expr> operator()(const plan::Contribute& op) const { return {op.value}; }
    std::vector<ir::Expr> operator()(const plan::Choose& op) const { return {op.condition}; }
    std::vector<ir::Expr> operator()(const plan::Repeat& op) const {
      return {op.condition, op.limit};
    }
    std::vector<ir::Expr> operator()(const plan::RepeatOver& op) const {
      return {op.range.begin, op.range.end, op.range.step};
    }
    std::vector<ir::Expr> operator()(const plan::Leave&) const { return {}; }
    std::vector<ir::Expr> operator()(const plan::NextTrip&) const { return {}; }
  };
  return std::visit(Exprs{}, statement.kind);
}

}  // namespace

bool needs_checks(const plan::Kernel& kernel) {
  bool found = std::any_of(
      kernel.prologue.begin(), kernel.prologue.end(),
      [](const plan::ScalarStep& step) { return has_uncertain_fold(plan::value_of(step)); });
  if (!kernel.sweep) return found;
  plan::for_each_statement(kernel.sweep->body, [&](const plan::Statement& statement) {
    const auto exprs = exprs_of(statement);
    found = found || std::any_of(exprs.begin(), exprs.end(), has_uncertain_fold);
  });
  return found;
}

bool points_may_fail(const plan::Sweep& sweep) {
  bool found = false;
  plan::for_each_statement(sweep.body, [&](const plan::Statement& statement) {
    const auto* over = std::get_if<plan::RepeatOver>(&statement.kind);
    found = found || std::holds_alternative<plan::Repeat>(statement.kind) ||
            (over != nullptr && ir::step_may_be_zero(over->range));
  });
  return found;
}

std::set<ir::SymbolId> watched_buffers(const plan::Kernel& kernel) {
  std::set<ir::SymbolId> found;
  if (!kernel.sweep || !kernel.sweep->promised) return found;
  plan::for_each_statement(kernel.sweep->body, [&](const plan::Statement& statement) {
    const auto* store = std::get_if<plan::Store>(&statement.kind);
    if (store != nullptr && store->kind != plan::Store::Kind::ScatterAdd) {
      found.insert(store->buffer);
    }
  });
  return found;
}

bool may_fault(const plan::Kernel& kernel) {
  const bool checks_step =
      std::any_of(kernel.prologue.begin(), kernel.prologue.end(), [](const plan::ScalarStep& step) {
        return std::holds_alternative<plan::CheckStep>(step.kind);
      });
  if (checks_step || needs_checks(kernel)) return true;
  if (!kernel.sweep) return false;
  const auto& ranges = kernel.sweep->ranges;
  return std::any_of(ranges.begin(), ranges.end(), ir::step_may_be_zero) ||
         points_may_fail(*kernel.sweep);
}

bool may_end_launch(const plan::Kernel& kernel) {
  return may_fault(kernel) ||
         std::any_of(kernel.prologue.begin(), kernel.prologue.end(),
                     [](const plan::ScalarStep& step) {
                       return std::holds_alternative<plan::RecordStop>(step.kind);
                     });
}

}  // namespace gyre::jit
