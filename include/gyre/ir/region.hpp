/// Regions: the statements of a program, an immutable tree.
///
/// Each kind's comment is its meaning; `interpret` is that meaning as code. Leaves out which
/// programs are legal (verifier/).
#pragma once

#include "gyre/ir/callee.hpp"
#include "gyre/ir/expr.hpp"
#include "gyre/ir/primitive.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gyre::ir {

struct RegionNode;
using Region = std::shared_ptr<const RegionNode>;

/// A scalar, or one element of a buffer; `index` is empty for a scalar.
struct Place {
  SymbolId symbol;
  std::vector<Expr> index;
  SourceLoc loc;
};

/// Runs `items` in order. A Seq is a block: what it declares lives until its end.
struct Seq {
  std::vector<Region> items;
};

/// Brings `symbol` into being. A `var`, `temp` or `out` takes its initial value, else zero, at each
/// entry; an `in` or `inout` holds what the caller bound.
struct Declare {
  SymbolId symbol;
};

/// Computes `value` once, here, and names it.
struct Let {
  SymbolId symbol;
  Expr value;
};

/// Stores `value`, or with `op` the place's old value combined with it. Inside a foreach,
/// `s += e` on a scalar from outside adds the fold (outer shape) of e over the whole foreach,
/// as one sum, to s.
struct Assign {
  Place place;
  std::optional<Op> op;
  Expr value;
};

/// A store whose targets are distinct over the foreach, by promise; with `accumulate`, an integer
/// addition whose targets may collide.
struct Scatter {
  Place place;
  bool accumulate = false;
  Expr value;
};

/// Who runs an index of a foreach on a GPU: a thread or several, as its executor finds best, or a
/// warp, or a block, which share the folds within it. It changes no value.
enum class Team : std::uint8_t { Any, Warp, Block };

/// Runs `body` for every point of `ranges`, in parallel. `independent`: no index reads what another
/// writes, by promise. Within the foreach of a team, what its threads do side by side.
struct Foreach {
  std::vector<Range> ranges;
  bool independent = false;
  Region body;
  Team team = Team::Any;
};

/// Runs work of the user's on `arguments`.
struct Call {
  std::shared_ptr<const Callee> callee;
  std::vector<SymbolId> arguments;
};

/// Copies all elements of `from` to `to`, of equal type and extents.
struct Copy {
  SymbolId to;
  SymbolId from;
};

/// Stores `value` in every element of `buffer`.
struct Fill {
  SymbolId buffer;
  Expr value;
};

/// Runs the arm that `condition` chooses. `otherwise` is null where there is none.
struct If {
  Expr condition;
  Region then;
  Region otherwise;
};

/// Runs `body` while `condition` holds, tested before each trip; zero trips are legal. With
/// `test_last` (do … while) the first trip is not tested, as if the condition held. `limit` (null:
/// the run's default) is read at entry; where the condition still holds after that many trips, the
/// launch ends with Status::TripLimit: no loop makes a trip more. `expect` is a hint and changes
/// nothing. Where a pass knows better, from a `for` between constants that no jump leaves, it is
/// `counted`: the trips of each entry.
struct While {
  Expr condition;
  Region body;
  bool test_last = false;
  Expr limit = nullptr;
  Expr expect = nullptr;
  bool counted = false;
};

/// Runs `body` for each index of `range`, in order. A step of 0 ends the launch with a fault.
struct For {
  Range range;
  Region body;
};

/// A case's labels: each the half-open range first..last; a single label n is n..n+1.
struct Case {
  struct Label {
    std::int64_t first;
    std::int64_t last;
  };
  std::vector<Label> labels;
  Region body;
  SourceLoc loc;
};

/// Runs the case that holds `selector`, else `otherwise` (null: nothing).
struct Switch {
  Expr selector;
  std::vector<Case> cases;
  Region otherwise;
};

/// Runs every arm to its end, in any order or at once: none touches what another one writes. Where
/// something in an arm ends the launch (a stop, a fault, a trip limit) that arm ends there and the
/// others still finish; then the launch ends as the first arm that ended it says.
struct Fork {
  std::vector<Region> arms;
};

/// Leaves the innermost loop, or starts its next trip. Neither leaves an arm of a fork.
struct Break {};
struct Continue {};

/// Ends the launch with Status::Stopped; `code` (null: 0) goes into the result.
struct Stop {
  std::string label;
  Expr code;
};

/// Ends the launch with FaultKind::ZeroStep where `step` is 0. Only passes make it, from a `for`.
struct CheckStep {
  Expr step;
};

/// Counts `trips` more trips of the region that its path names. Only passes make it, from a `for`
/// without a body.
struct CountTrips {
  Expr trips;
};

using RegionKind =
    std::variant<Seq, Declare, Let, Assign, Scatter, Foreach, Call, Copy, Fill, Primitive, If,
                 While, For, Switch, Fork, Break, Continue, Stop, CheckStep, CountTrips>;

struct RegionNode {
  RegionKind kind;
  SourceLoc loc;
  /// `cg/while#0/foreach#1`: which region of the source this is; set by number_regions for control
  /// regions, foreach, call, copy, fill and primitives, and kept by every pass. Trips go by it, and
  /// faults: a fault belongs to the nearest node around it that has a path, itself first, and
  /// outside all of them to the program. A branch that a pass made has none and is not counted.
  std::string path;
};

template <class Kind>
const Kind* as(const Region& region) {
  return region ? std::get_if<Kind>(&region->kind) : nullptr;
}

Region make_region(RegionKind kind, const SourceLoc& loc = {}, std::string path = {});
/// `items` as one block. Nulls are dropped and blocks within dissolve: a symbol's id says which one
/// is meant, so that no scope is lost.
Region make_seq(std::vector<Region> items, const SourceLoc& loc = {});
bool is_empty(const Region& region);

/// Blocks nested deeper are refused.
inline constexpr std::uint32_t max_region_depth = 256;

}  // namespace gyre::ir
