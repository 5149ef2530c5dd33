/// A program laid out flat, so that a rule is a loop and not a walk.
///
/// Leaves out judgement: whatever a program holds, however wrong, has its place here. Trees deeper
/// than the limits are cut off, and the rules on depth say so.
#pragma once

#include "gyre/ir/program.hpp"

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace gyre::verifier {

inline constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

inline bool is_buffer(const ir::Symbol& symbol) {
  return symbol.kind == ir::SymbolKind::Buffer;
}

/// A region and where it stands. Sites are numbered parents first, so that a region's subtree is
/// the sites from its own to `end`.
struct RegionSite {
  const ir::RegionNode* node = nullptr;
  std::size_t id = 0;
  std::size_t end = 0;
  /// The region directly around it.
  std::size_t parent = nowhere;
  /// The outermost foreach around it, a foreach within that one, the innermost while or for, and
  /// the innermost fork. Jumps cross no foreach and no fork: a loop around one is no loop in it.
  std::size_t foreach = nowhere;
  std::size_t inner = nowhere;
  std::size_t loop = nowhere;
  std::size_t fork = nowhere;
  /// How many blocks are open here; the program's own is 1.
  std::uint32_t depth = 1;
  /// The path of the nearest region that has one.
  std::string_view path;
};

/// An expression node and the region that evaluates it; numbered as regions are. A node that one
/// region reaches twice is listed once.
struct ExprSite {
  const ir::ExprNode* node = nullptr;
  std::size_t id = 0;
  std::size_t region = 0;
};

/// Where a symbol comes into being: at a Declare, a Let, a loop, or in a fold.
struct Origin {
  std::size_t region = nowhere;
  /// For the index of a fold, the fold's operand: expressions `first` to `end`.
  std::size_t first = nowhere;
  std::size_t end = nowhere;
  /// How often it comes into being; 1 in a correct program, 0 for a size.
  std::size_t count = 0;
};

/// One region's effect on one symbol.
struct Access {
  ir::SymbolId symbol;
  std::size_t region;
  SourceLoc loc;
};

class Survey {
 public:
  explicit Survey(const ir::Program& program);

  const ir::Program& program() const { return program_; }
  std::span<const RegionSite> regions() const { return regions_; }
  std::span<const ExprSite> exprs() const { return exprs_; }
  /// Everything that assigns, scatters, fills, copies or calls: once a written symbol, in the order
  /// of regions.
  std::span<const Access> writes() const { return writes_; }
  /// Each read of a symbol: in expressions, by a copy, by a call. In the order of regions.
  std::span<const Access> reads() const { return reads_; }

  const RegionSite& region(std::size_t id) const { return regions_[id]; }
  /// Whether the program has the symbol at all.
  bool knows(ir::SymbolId id) const {
    return static_cast<std::size_t>(id) < program_.symbols.size();
  }
  const ir::Symbol& symbol(ir::SymbolId id) const { return program_[id]; }
  const Origin& origin(ir::SymbolId id) const { return origins_[static_cast<std::size_t>(id)]; }
  /// Whether `inner` stands within `outer` or is it.
  bool within(std::size_t inner, std::size_t outer) const {
    return outer <= inner && inner < regions_[outer].end;
  }

  /// Calls `f(site, kind)` for each region of a kind.
  template <class Kind, class F>
  void each(F f) const {
    for (const RegionSite& site : regions_) {
      if (const auto* kind = std::get_if<Kind>(&site.node->kind)) f(site, *kind);
    }
  }
  /// Calls `f(site, kind)` for each expression node of a kind.
  template <class Kind, class F>
  void each_expr(F f) const {
    for (const ExprSite& site : exprs_) {
      if (const auto* kind = std::get_if<Kind>(&site.node->kind)) f(site, *kind);
    }
  }
  /// Calls `f(region site, place)` for what each assign and scatter writes.
  template <class F>
  void each_place(F f) const {
    each<ir::Assign>([&](const RegionSite& at, const ir::Assign& op) { f(at, op.place); });
    each<ir::Scatter>([&](const RegionSite& at, const ir::Scatter& op) { f(at, op.place); });
  }
  /// Calls `f(region site, range)` for each range of a foreach, a for, a primitive or a fold.
  template <class F>
  void each_range(F f) const {
    each<ir::For>([&](const RegionSite& at, const ir::For& op) { f(at, op.range); });
    each<ir::Primitive>([&](const RegionSite& at, const ir::Primitive& op) { f(at, op.range); });
    each<ir::Foreach>([&](const RegionSite& at, const ir::Foreach& op) {
      for (const ir::Range& range : op.ranges) f(at, range);
    });
    each_expr<ir::Fold>([&](const ExprSite& at, const ir::Fold& fold) {
      for (const ir::Range& range : fold.ranges) f(region(at.region), range);
    });
  }

 private:
  friend class Surveyor;

  const ir::Program& program_;
  std::vector<RegionSite> regions_;
  std::vector<ExprSite> exprs_;
  std::vector<Access> writes_;
  std::vector<Access> reads_;
  std::vector<Origin> origins_;
};

}  // namespace gyre::verifier
