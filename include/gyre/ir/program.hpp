/// A program: its symbols and its tree of regions. Immutable data, copied cheaply.
#pragma once

#include "gyre/ir/region.hpp"

#include <string>
#include <vector>

namespace gyre::ir {

enum class SymbolKind {
  /// A parameter of the program, an i64, bound with the buffers.
  Size,
  /// One device slot: in, out, inout or var.
  Scalar,
  Buffer,
  /// A value computed once.
  Let,
  /// The index of a foreach, a for or a fold.
  Index,
};

/// To whom an object belongs, and who writes it. Sizes, lets and indices have None.
enum class Intent { None, In, Out, Inout, Temp, Var };
/// `in`, `out`, …; empty for None.
std::string_view name_of(Intent intent);

struct Symbol {
  std::string name = {};
  SymbolKind kind = SymbolKind::Scalar;
  ScalarType type = ScalarType::Invalid;
  Intent intent = Intent::None;
  /// One per dimension of a buffer: integer expressions of sizes and literals.
  std::vector<Expr> extents = {};
  /// The initial value of a scalar (null: zero, or what the caller must bind).
  Expr initial = {};
  SourceLoc loc = {};
  /// A temp of which nobody reads what it holds at the entry of its block: it is not made zero.
  /// Only passes make one.
  bool scratch = false;
};

struct Program {
  std::string name;
  /// Indexed by SymbolId. Passes append and never renumber, so an id means the same throughout.
  std::vector<Symbol> symbols;
  Region body;
  SourceLoc loc;

  const Symbol& operator[](SymbolId id) const { return symbols.at(static_cast<std::size_t>(id)); }

  /// Appends a symbol and returns its id.
  SymbolId add(Symbol symbol);
  /// Every symbol of a kind, in order of declaration.
  std::vector<SymbolId> all(SymbolKind kind) const;
};

/// Gives every control region, foreach, call, copy, fill and primitive its path: the names of what
/// encloses it with their numbers among siblings of one kind (`cg/while#0/if#1/then/foreach#0`).
Program number_regions(Program program);

}  // namespace gyre::ir
