/// What a program becomes before it runs: kernels, the slots and buffers they touch, and blocks of
/// nodes with conditional ones among them. Plain data, no CUDA in it.
///
/// An executor runs a Plan and never looks at a Program. Kernels keep expressions as trees, since
/// both a bytecode compiler and an emitter of CUDA C++ start from there. Leaves out how a plan is
/// made (make_plan.hpp), what it must obey (verify_plan.hpp) and how it is shown (print_plan.hpp).
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/plan/statement.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gyre::plan {

/// The memory of a slot has a home and a shadow. Between nodes that branch every value is at home.
enum class Version : std::uint8_t { Home, Shadow };

/// One memory place of one scalar.
struct Cell {
  ir::SymbolId slot;
  Version version = Version::Home;

  friend bool operator==(const Cell&, const Cell&) = default;
};

/// `slot = value`.
struct Compute {
  ir::SymbolId slot;
  ir::Expr value;
};

/// `slot` = the partials of `reduction`, combined; the fold's empty value where it had no term.
struct Finish {
  ir::SymbolId slot;
  std::uint32_t reduction;
};

/// Ends the launch with Status::Stopped; what it must not run any more is branched around.
struct RecordStop {
  std::string label;
  /// Null: 0.
  ir::Expr code;
  /// A slot that says whether it does; `code` reads it too. None: it does.
  std::optional<ir::SymbolId> condition = {};
};

/// Ends the launch with FaultKind::ZeroStep where `step` is 0.
struct CheckStep {
  ir::Expr step;
};

/// Counts `trips` more trips of the step's region: a counted loop without a body.
struct CountTrips {
  ir::Expr trips;
};

/// Counts arm number `arm` of the step's region, if there is one of that number: a branch that
/// became values.
struct CountArm {
  ir::Expr arm;
};

/// A step of a kernel's scalar work. `region` is where a fault in it is reported.
struct ScalarStep {
  std::variant<Compute, Finish, RecordStop, CheckStep, CountTrips, CountArm> kind;
  std::string region;
};

/// A device-wide fold: a kernel's sweep leaves partials, a later kernel's prologue finishes them.
struct Reduction {
  ir::FoldOp op;
  /// The type of the terms.
  ir::ScalarType type;
  std::string name;
};

/// The points of `ranges` (none: one point), each running `body`, in parallel. Bounds read slots
/// and sizes alone, no buffer.
struct Sweep {
  std::vector<ir::Range> ranges;
  std::vector<Statement> body;
  /// Checked mode watches the accesses: some other index's store may be met.
  bool promised = false;
  ir::Team team = ir::Team::Any;
};

/// One kernel: scalar work, a sweep, scalar work. Every block does the prologue for itself and one
/// block stores its slots; one block alone does the epilogue.
struct Kernel {
  std::string name;
  /// The region of the source it comes from; faults in the sweep are reported there.
  std::string region;
  std::vector<ScalarStep> prologue;
  std::optional<Sweep> sweep;
  /// Only behind a sweep. Done by one block, while others may still run: the first, behind its
  /// points, or one that has none. Or, with `last_block`, by the one that ends last, which may
  /// finish the kernel's own reductions and load what the sweep stored.
  std::vector<ScalarStep> epilogue;
  bool last_block = false;
  /// The cells that every block reads on entry, those that only the epilogue reads besides, and
  /// those that the kernel writes at its end.
  std::vector<Cell> reads;
  std::vector<Cell> epilogue_reads;
  std::vector<Cell> writes;
  /// Slots whose home one block copies to the shadow, for a later kernel that rewrites the home
  /// while its blocks still read the old value.
  std::vector<ir::SymbolId> shadows;
};

struct Block;

/// Runs a kernel.
struct Launch {
  std::uint32_t kernel;
};

/// Zeroes every byte of a buffer.
struct Clear {
  ir::SymbolId buffer;
};

struct CopyBuffer {
  ir::SymbolId to;
  ir::SymbolId from;
  std::string region;
};

struct RunCall {
  std::shared_ptr<const ir::Callee> callee;
  std::vector<ir::SymbolId> arguments;
  std::string region;
};

/// Runs one of two blocks. The arms are counted under `region`, if that is not empty.
struct IfNode {
  ir::SymbolId predicate;
  std::unique_ptr<Block> then;
  std::unique_ptr<Block> otherwise;
  std::string region;
};

/// Runs `body` while `predicate` holds, tested before each trip; the body recomputes it. Before a
/// trip that would be number limit + 1 of this entry the launch ends with Status::TripLimit.
struct WhileNode {
  ir::SymbolId predicate;
  std::unique_ptr<Block> body;
  /// An i64 slot; null: `constant_limit`; neither: the run's default.
  std::optional<ir::SymbolId> limit;
  std::optional<std::int64_t> constant_limit;
  /// How many trips an entry is likely to make, as the program says by a constant; `counted`: it
  /// makes them, unless the launch ends.
  std::optional<std::int64_t> expect;
  bool counted = false;
  /// The body carries nothing from trip to trip, so that a predicate that holds after the first
  /// trip holds for ever: there all trips up to the limit count as made, and the limit is reached.
  bool steady = false;
  /// The body ends with a kernel that does nothing but copy one buffer to another, whose contents
  /// nobody needs elsewhere. A body of several trips may let the two change places instead: behind
  /// an odd number of trips the copy is due once.
  struct Swap {
    ir::SymbolId to;
    ir::SymbolId from;
    std::uint32_t kernel;
  };
  std::optional<Swap> swap = {};
  std::string region;
};

/// Runs the block whose labels hold the selector (i32 or i64), else `otherwise`.
struct SwitchNode {
  ir::SymbolId selector;
  std::vector<std::vector<ir::Case::Label>> labels;
  std::vector<Block> cases;
  std::unique_ptr<Block> otherwise;
  std::string region;
};

/// Runs all arms, in any order or at once: no arm touches a cell, a buffer or partials that another
/// one writes. Where one ends the launch the others still finish; behind them the launch ends as
/// the first arm that ended it says.
struct ForkNode {
  std::vector<Block> arms;
  std::string region;
};

using Node =
    std::variant<Launch, Clear, CopyBuffer, RunCall, IfNode, WhileNode, SwitchNode, ForkNode>;

/// Nodes in program order.
struct Block {
  std::vector<Node> nodes;
};

/// A temp buffer's life, as places in the plan's order of nodes (depth first, a loop's body once),
/// and the arms of forks that it is spent in, outermost first.
struct Temporary {
  struct Arm {
    /// By number in the plan's order of forks.
    std::uint32_t fork;
    std::uint32_t arm;

    friend bool operator==(const Arm&, const Arm&) = default;
  };
  ir::SymbolId buffer;
  std::uint32_t first;
  std::uint32_t last;
  std::vector<Arm> arms = {};
};

/// Whether two temps may live at once, which is why they share no memory: their places overlap, or
/// they live in different arms of one fork.
bool live_at_once(const Temporary& a, const Temporary& b);

struct Plan {
  std::string name;
  /// Neighbouring sweeps share kernels. Which fault comes first cannot be told then: such a plan is
  /// not for checked runs.
  bool fused = false;
  /// As the lowered program's; ids mean the same.
  std::vector<ir::Symbol> symbols;
  std::vector<Kernel> kernels;
  std::vector<Reduction> reductions;
  std::vector<Temporary> temporaries;
  /// Loops and branches of the source that are counted: the path and the number of arms (0: a
  /// loop).
  struct Region {
    std::string path;
    std::uint32_t arms;
  };
  std::vector<Region> regions;
  Block body;

  const ir::Symbol& operator[](ir::SymbolId id) const {
    return symbols.at(static_cast<std::size_t>(id));
  }
};

}  // namespace gyre::plan
