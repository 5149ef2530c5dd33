#include "gyre/plan/kernel_faults.hpp"

#include "gyre/ir/visitor.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/walk.hpp"

#include <algorithm>

namespace gyre::plan {
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

bool needs_checks(const ScalarStep& step) {
  return has_uncertain_fold(value_of(step));
}

bool needs_checks(const Sweep& sweep) {
  bool found = false;
  for_each_statement(sweep.body, [&](const Statement& statement) {
    const auto exprs = exprs_of(statement);
    found = found || std::any_of(exprs.begin(), exprs.end(), has_uncertain_fold);
  });
  return found;
}

bool needs_checks(const Kernel& kernel) {
  const auto any = [](const std::vector<ScalarStep>& steps) {
    return std::any_of(steps.begin(), steps.end(),
                       [](const ScalarStep& step) { return needs_checks(step); });
  };
  return any(kernel.prologue) || any(kernel.epilogue) ||
         (kernel.sweep && needs_checks(*kernel.sweep));
}

namespace {

bool may_fail(const std::vector<Statement>& body) {
  bool found = false;
  for_each_statement(body, [&](const Statement& statement) {
    const auto* over = std::get_if<RepeatOver>(&statement.kind);
    found = found || std::holds_alternative<Repeat>(statement.kind) ||
            (over != nullptr && ir::step_may_be_zero(over->range));
  });
  return found;
}

}  // namespace

bool points_may_fail(const Sweep& sweep) {
  return may_fail(sweep.body);
}

bool shared_trips_may_fail(const Sweep& sweep) {
  bool found = false;
  for_each_statement(sweep.body, [&](const Statement& statement) {
    const auto* over = std::get_if<RepeatOver>(&statement.kind);
    found = found || (over != nullptr && over->shared && may_fail(over->body));
  });
  return found;
}

bool may_end_launch(const Plan& plan, const ForkNode& fork) {
  const auto stops = [](const std::vector<ScalarStep>& steps) {
    return std::any_of(steps.begin(), steps.end(), [](const ScalarStep& step) {
      return std::holds_alternative<RecordStop>(step.kind);
    });
  };
  bool found = false;
  for (const Block& arm : fork.arms) {
    for_each_node(arm, [&](const Node& node) {
      found = found || is_branch(node);
      const auto* launch = std::get_if<Launch>(&node);
      if (launch == nullptr) return;
      const Kernel& kernel = plan.kernels[launch->kernel];
      found = found || may_fault(kernel) || stops(kernel.prologue) || stops(kernel.epilogue);
    });
  }
  return found;
}

std::set<ir::SymbolId> watched_buffers(const Kernel& kernel) {
  std::set<ir::SymbolId> found;
  if (!kernel.sweep || !kernel.sweep->promised) return found;
  for_each_statement(kernel.sweep->body, [&](const Statement& statement) {
    const auto* store = std::get_if<Store>(&statement.kind);
    if (store != nullptr && store->kind != Store::Kind::ScatterAdd) {
      found.insert(store->buffer);
    }
  });
  return found;
}

bool may_fault(const Sweep& sweep) {
  return needs_checks(sweep) || points_may_fail(sweep) ||
         std::any_of(sweep.ranges.begin(), sweep.ranges.end(), ir::step_may_be_zero);
}

bool may_fault(const Kernel& kernel) {
  const bool checks_step = std::any_of(
      kernel.prologue.begin(), kernel.prologue.end(),
      [](const ScalarStep& step) { return std::holds_alternative<CheckStep>(step.kind); });
  return checks_step || needs_checks(kernel) || (kernel.sweep && may_fault(*kernel.sweep));
}

}  // namespace gyre::plan
