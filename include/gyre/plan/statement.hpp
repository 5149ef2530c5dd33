/// What each point of a sweep runs: the statements inside a kernel.
///
/// They are the per-index part of the language, with jumps left as they are: within one index a
/// `break` is a jump, not a flag.
#pragma once

#include "gyre/ir/region.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gyre::plan {

struct Statement;

/// Brings a local (let or var) to life with `value`; a second Define of it starts it afresh.
struct Define {
  ir::SymbolId local;
  ir::Expr value;
};

/// Gives a local var a new value.
struct Set {
  ir::SymbolId local;
  ir::Expr value;
};

/// Stores `value` to one element. Order of evaluation: the indices, the value, the store.
struct Store {
  ir::SymbolId buffer;
  std::vector<ir::Expr> index;
  ir::Expr value;
  enum class Kind : std::uint8_t {
    /// At the index's own place.
    Own,
    /// Somewhere, by the promise that targets are distinct.
    Scatter,
    /// An integer addition; targets may collide.
    ScatterAdd,
  } kind = Kind::Own;
};

/// Gives `value` as this index's term of a reduction; an index that does not reach the statement
/// gives the fold's neutral term.
struct Contribute {
  std::uint32_t reduction;
  ir::Expr value;
};

struct Choose {
  ir::Expr condition;
  std::vector<Statement> then;
  std::vector<Statement> otherwise;
  /// Where a fault in it is reported; empty: where one around it is.
  std::string region;
};

/// A loop within one index. Its trips are not counted in the result, but its limit (null: the run's
/// default) ends the launch like any other; `region` names it then.
struct Repeat {
  ir::Expr condition;
  std::vector<Statement> body;
  bool test_last = false;
  ir::Expr limit;
  std::string region;
};

/// A counted loop within one index; step 0 is a fault.
struct RepeatOver {
  ir::Range range;
  std::vector<Statement> body;
  std::string region;
  /// No trip needs another: where a team runs the index, its threads make them side by side.
  bool shared = false;
};

struct Leave {};
struct NextTrip {};

struct Statement {
  std::variant<Define, Set, Store, Contribute, Choose, Repeat, RepeatOver, Leave, NextTrip> kind;
};

}  // namespace gyre::plan
