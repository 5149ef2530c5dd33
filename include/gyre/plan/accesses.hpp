/// What the parts of a kernel read and write: slots and buffers, by symbol.
#pragma once

#include "gyre/plan/plan.hpp"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace gyre::plan {

using Symbols = std::set<ir::SymbolId>;

/// Whether any symbol is in both.
bool meet(const Symbols& a, const Symbols& b);

/// What one piece of a kernel touches. Sizes, indices and what a sweep defines for itself are no
/// slots.
struct Accesses {
  Symbols slots;
  Symbols loads;
  Symbols stores;
};

/// Adds what `expr` reads.
void add_reads(const Plan& plan, const ir::Expr& expr, Accesses& accesses);

/// The value that a step computes or tests (null: none), and the slot that it gives a value.
ir::Expr value_of(const ScalarStep& step);
std::optional<ir::SymbolId> slot_of(const ScalarStep& step);

/// The expressions of a statement, those of statements within it left out; null ones included.
std::vector<ir::Expr> exprs_of(const Statement& statement);

Accesses accesses_of(const Plan& plan, const Sweep& sweep);

/// What scalar steps, in order, take from memory before they compute it, and what they compute.
struct SlotUse {
  Symbols read;
  Symbols computed;

  void add(const Plan& plan, const ScalarStep& step);
  void add(const Accesses& accesses);
};

/// The reductions that a sweep feeds.
std::set<std::uint32_t> reductions_fed(const Sweep& sweep);

/// Calls `visit` on every statement, those within others after them.
void for_each_statement(const std::vector<Statement>& statements,
                        const std::function<void(const Statement&)>& visit);

}  // namespace gyre::plan
