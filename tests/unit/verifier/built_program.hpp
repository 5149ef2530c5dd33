/// Programs made by hand, node by node: what the verifier's unit tests are about.
#pragma once

#include "gyre/verifier/verify.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gyre::verifier {

/// A program under construction. Statements go into `items`, which become the body.
struct BuiltProgram {
  ir::Program program{.name = "p", .symbols = {}, .body = nullptr, .loc = {}};
  std::vector<ir::Region> items;

  ir::SymbolId add(std::string name, ir::SymbolKind kind, ir::ScalarType type,
                   ir::Intent intent = ir::Intent::None) {
    ir::Symbol symbol;
    symbol.name = std::move(name);
    symbol.kind = kind;
    symbol.type = type;
    symbol.intent = intent;
    return program.add(std::move(symbol));
  }
  ir::SymbolId scalar(std::string name, ir::ScalarType type, ir::Intent intent = ir::Intent::Out) {
    const auto id = add(std::move(name), ir::SymbolKind::Scalar, type, intent);
    items.push_back(ir::make_region(ir::Declare{id}));
    return id;
  }
  ir::SymbolId buffer(std::string name, ir::ScalarType type,
                      ir::Intent intent = ir::Intent::Inout) {
    const auto id = add(std::move(name), ir::SymbolKind::Buffer, type, intent);
    program.symbols.back().extents = {number(8)};
    items.push_back(ir::make_region(ir::Declare{id}));
    return id;
  }

  ir::Expr read(ir::SymbolId id) const { return ir::make_read(id, program[id].type); }
  static ir::Expr number(std::int64_t value) { return ir::make_flexible(value); }
  static ir::Expr truth() { return ir::make_literal(ir::Value(true)); }
  ir::Region assign(ir::SymbolId to, ir::Expr value) const {
    return ir::make_region(
        ir::Assign{{to, {}, {}}, std::nullopt, ir::coerce(std::move(value), program[to].type)});
  }

  /// The rules that the program breaks, in the order they are reported.
  std::vector<std::string> broken_rules() {
    if (!program.body) program.body = ir::make_seq(items);
    Diagnostics diagnostics;
    verify(program, diagnostics);
    std::vector<std::string> broken;
    for (const Diagnostic& one : diagnostics.all()) broken.push_back(one.rule);
    return broken;
  }
};

using Broken = std::vector<std::string>;

}  // namespace gyre::verifier
