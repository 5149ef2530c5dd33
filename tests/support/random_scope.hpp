/// A program in the making: what it holds, and what a place in it can see.
#pragma once

#include "gyre/ir/program.hpp"
#include "support/random.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gyre::support {

/// The program, with the numbers that its sizes and extents will have: they are chosen first, so
/// that the maker knows which index is safe and what a loop costs.
struct World {
  Random random;
  ir::Program program;
  std::map<ir::SymbolId, std::int64_t> sizes;
  std::map<ir::SymbolId, std::vector<std::int64_t>> extents;
  /// Whether some indices and steps may be wrong, so that the run faults.
  bool is_careless = false;

  /// Adds a symbol under a name of its own, made from `prefix`.
  ir::SymbolId add(const std::string& prefix, ir::Symbol symbol) {
    symbol.name = prefix + std::to_string(program.symbols.size());
    return program.add(std::move(symbol));
  }
  ir::Expr read(ir::SymbolId id) const { return ir::make_read(id, program[id].type); }
};

/// The values that an index takes.
struct IndexBounds {
  std::int64_t least = 0;
  std::int64_t greatest = 0;
};

/// Where a foreach accesses a buffer that it stores to: which index, plus what, at a dimension.
using Footprint = std::map<std::size_t, std::pair<ir::SymbolId, std::int64_t>>;

/// What a place may use.
struct Scope {
  /// Scalars, sizes, lets and indices.
  std::vector<ir::SymbolId> readable;
  std::vector<ir::SymbolId> assignable;
  std::vector<ir::SymbolId> loadable;
  std::vector<ir::SymbolId> storable;
  std::map<ir::SymbolId, IndexBounds> bounds;

  bool is_in_foreach = false;
  /// Whether an inner foreach may stand here.
  bool has_team = false;
  /// What this foreach stores to, scatters to, adds to by scatter, and accumulates.
  std::map<ir::SymbolId, Footprint> stored;
  std::vector<ir::SymbolId> scattered;
  std::vector<ir::SymbolId> counted;
  std::vector<ir::SymbolId> summed;
  /// How far from its own place an `independent` foreach may read what it stores to.
  std::int64_t independent_offset = 0;

  /// Loops around this place, within the foreach if in one.
  int loops = 0;
  /// How often a statement here runs, about.
  double work = 1;
};

/// Statements and terms run at most about so often, which keeps a run short.
inline constexpr double most_work = 2500;

}  // namespace gyre::support
