/// What lowering adds to a plan's symbols.
#pragma once

#include "gyre/ir/fresh_names.hpp"
#include "gyre/plan/plan.hpp"

#include <string>
#include <utility>

namespace gyre::plan {

/// Adds symbols under names that no other has.
class NewSymbols {
 public:
  NewSymbols(Plan& plan, const ir::Program& program) : plan_(plan), names_(program) {}

  /// A value computed once.
  ir::SymbolId slot(const std::string& name, ir::ScalarType type) {
    return add(name, ir::SymbolKind::Let, type);
  }
  ir::SymbolId index(ir::ScalarType type) { return add("i", ir::SymbolKind::Index, type); }

 private:
  ir::SymbolId add(const std::string& name, ir::SymbolKind kind, ir::ScalarType type) {
    ir::Symbol symbol;
    symbol.name = names_(name);
    symbol.kind = kind;
    symbol.type = type;
    plan_.symbols.push_back(std::move(symbol));
    return static_cast<ir::SymbolId>(plan_.symbols.size() - 1);
  }

  Plan& plan_;
  ir::FreshNames names_;
};

}  // namespace gyre::plan
