#include "gyre/passes/pass.hpp"

#include <utility>

namespace gyre::passes {

ir::SymbolId Pass::add(ir::SymbolKind kind, ir::Intent intent, const std::string& base,
                       ir::ScalarType type) {
  ir::Symbol symbol;
  symbol.name = names_(base);
  symbol.kind = kind;
  symbol.intent = intent;
  symbol.type = type;
  return program_.add(std::move(symbol));
}

ir::SymbolId Pass::add_var(const std::string& base, ir::ScalarType type) {
  return add(ir::SymbolKind::Scalar, ir::Intent::Var, base, type);
}

ir::SymbolId Pass::add_let(const std::string& base, ir::ScalarType type) {
  return add(ir::SymbolKind::Let, ir::Intent::None, base, type);
}

ir::SymbolId Pass::add_index(const std::string& base, ir::ScalarType type) {
  return add(ir::SymbolKind::Index, ir::Intent::None, base, type);
}

ir::Expr Pass::read(ir::SymbolId symbol) const {
  return ir::make_read(symbol, program_[symbol].type);
}

ir::Expr Pass::constant(bool value) {
  return ir::make_literal(ir::Value(value));
}

ir::Region Pass::declare(ir::SymbolId symbol) const {
  return ir::make_region(ir::Declare{symbol});
}

ir::Region Pass::assign(ir::SymbolId symbol, ir::Expr value, const std::string& path) {
  const auto loc = value->loc;
  return ir::make_region(ir::Assign{ir::Place{symbol, {}, loc}, std::nullopt, std::move(value)},
                         loc, path);
}

ir::Region Pass::let(ir::SymbolId symbol, ir::Expr value, const std::string& path) {
  const auto loc = value->loc;
  return ir::make_region(ir::Let{symbol, std::move(value)}, loc, path);
}

}  // namespace gyre::passes
