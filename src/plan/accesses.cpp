#include "gyre/plan/accesses.hpp"

#include "gyre/ir/visitor.hpp"

#include <algorithm>

namespace gyre::plan {
namespace {

template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

}  // namespace

bool meet(const Symbols& a, const Symbols& b) {
  return std::any_of(a.begin(), a.end(), [&](ir::SymbolId id) { return b.contains(id); });
}

void add_reads(const Plan& plan, const ir::Expr& expr, Accesses& accesses) {
  if (!expr) return;
  ir::for_each_expr(expr, [&](const ir::Expr& node) {
    if (const auto* read = ir::as<ir::Read>(node)) {
      const auto kind = plan[read->symbol].kind;
      if (kind == ir::SymbolKind::Scalar || kind == ir::SymbolKind::Let) {
        accesses.slots.insert(read->symbol);
      }
    } else if (const auto* load = ir::as<ir::Load>(node)) {
      accesses.loads.insert(load->buffer);
    }
  });
}

ir::Expr value_of(const ScalarStep& step) {
  return std::visit(
      Overloaded{
          [](const Compute& op) { return op.value; }, [](const Finish&) { return ir::Expr(); },
          [](const RecordStop& op) { return op.code; }, [](const CheckStep& op) { return op.step; },
          [](const CountTrips& op) { return op.trips; }, [](const CountArm& op) { return op.arm; }},
      step.kind);
}

std::optional<ir::SymbolId> slot_of(const ScalarStep& step) {
  if (const auto* compute = std::get_if<Compute>(&step.kind)) return compute->slot;
  if (const auto* finish = std::get_if<Finish>(&step.kind)) return finish->slot;
  return std::nullopt;
}

void for_each_statement(const std::vector<Statement>& statements,
                        const std::function<void(const Statement&)>& visit) {
  for (const Statement& statement : statements) {
    visit(statement);
    if (const auto* choose = std::get_if<Choose>(&statement.kind)) {
      for_each_statement(choose->then, visit);
      for_each_statement(choose->otherwise, visit);
    } else if (const auto* repeat = std::get_if<Repeat>(&statement.kind)) {
      for_each_statement(repeat->body, visit);
    } else if (const auto* over = std::get_if<RepeatOver>(&statement.kind)) {
      for_each_statement(over->body, visit);
    }
  }
}

std::vector<ir::Expr> exprs_of(const Statement& statement) {
  struct Exprs {
    std::vector<ir::Expr> operator()(const Define& op) const { return {op.value}; }
    std::vector<ir::Expr> operator()(const Set& op) const { return {op.value}; }
    std::vector<ir::Expr> operator()(const Store& op) const {
      auto all = op.index;
      all.push_back(op.value);
      return all;
    }
    std::vector<ir::Expr> operator()(const Contribute& op) const { return {op.value}; }
    std::vector<ir::Expr> operator()(const Choose& op) const { return {op.condition}; }
    std::vector<ir::Expr> operator()(const Repeat& op) const { return {op.condition, op.limit}; }
    std::vector<ir::Expr> operator()(const RepeatOver& op) const {
      return {op.range.begin, op.range.end, op.range.step};
    }
    std::vector<ir::Expr> operator()(const Leave&) const { return {}; }
    std::vector<ir::Expr> operator()(const NextTrip&) const { return {}; }
  };
  return std::visit(Exprs{}, statement.kind);
}

Accesses accesses_of(const Plan& plan, const Sweep& sweep) {
  Accesses found;
  Symbols locals;
  const auto add_range = [&](const ir::Range& range) {
    add_reads(plan, range.begin, found);
    add_reads(plan, range.end, found);
    add_reads(plan, range.step, found);
  };
  for (const ir::Range& range : sweep.ranges) add_range(range);
  for_each_statement(sweep.body, [&](const Statement& statement) {
    std::visit(Overloaded{[&](const Define& op) {
                            locals.insert(op.local);
                            add_reads(plan, op.value, found);
                          },
                          [&](const Set& op) { add_reads(plan, op.value, found); },
                          [&](const Store& op) {
                            for (const ir::Expr& index : op.index) add_reads(plan, index, found);
                            add_reads(plan, op.value, found);
                            found.stores.insert(op.buffer);
                          },
                          [&](const Contribute& op) { add_reads(plan, op.value, found); },
                          [&](const Choose& op) { add_reads(plan, op.condition, found); },
                          [&](const Repeat& op) {
                            add_reads(plan, op.condition, found);
                            add_reads(plan, op.limit, found);
                          },
                          [&](const RepeatOver& op) { add_range(op.range); }, [](const Leave&) {},
                          [](const NextTrip&) {}},
               statement.kind);
  });
  for (const ir::SymbolId local : locals) found.slots.erase(local);
  return found;
}

void SlotUse::add(const Accesses& accesses) {
  for (const ir::SymbolId slot : accesses.slots) {
    if (!computed.contains(slot)) read.insert(slot);
  }
}

void SlotUse::add(const Plan& plan, const ScalarStep& step) {
  Accesses accesses;
  add_reads(plan, value_of(step), accesses);
  add(accesses);
  if (const auto slot = slot_of(step)) computed.insert(*slot);
}

std::set<std::uint32_t> reductions_fed(const Sweep& sweep) {
  std::set<std::uint32_t> fed;
  for_each_statement(sweep.body, [&](const Statement& statement) {
    const auto* contribute = std::get_if<Contribute>(&statement.kind);
    if (contribute != nullptr) fed.insert(contribute->reduction);
  });
  return fed;
}

}  // namespace gyre::plan
