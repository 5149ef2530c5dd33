/// Random expressions of a wanted type: exact operators only, legal where the scope says.
#pragma once

#include "gyre/ir/expr.hpp"
#include "support/random_scope.hpp"

#include <optional>

namespace gyre::support {

struct MadeRange {
  ir::Range range;
  IndexBounds bounds;
  std::int64_t most_points = 0;
};

class ExprMaker {
 public:
  explicit ExprMaker(World& world) : world_(world), random_(world.random) {}

  /// An expression of `type`, at most `height` operators high or little more.
  ir::Expr make(ir::ScalarType type, int height, const Scope& scope);
  ir::Expr literal(ir::ScalarType type);
  /// A range of at most `most_points`, whose index is a new symbol.
  MadeRange make_range(const Scope& scope, std::int64_t most_points);
  /// A coordinate within 0..extent; nothing where the extent is 0.
  std::optional<ir::Expr> safe_coordinate(std::int64_t extent, const Scope& scope);
  /// A coordinate within 0..extent (not 0) that is no index plus a constant.
  ir::Expr scrambled_coordinate(std::int64_t extent, const Scope& scope);
  /// The coordinates of a buffer that the foreach stores to, at its place there; nothing where the
  /// buffer is empty.
  std::optional<std::vector<ir::Expr>> stored_place(ir::SymbolId buffer, const Scope& scope);

 private:
  struct Bound {
    ir::Expr expr;
    std::int64_t least;
    std::int64_t greatest;
  };

  ir::Expr leaf(ir::ScalarType type, const Scope& scope);
  ir::Expr make_operator(ir::ScalarType type, int height, const Scope& scope);
  ir::Expr make_load(ir::ScalarType type, int height, const Scope& scope);
  ir::Expr guarded_load(ir::SymbolId buffer, const Scope& scope);
  ir::Expr make_cast(ir::ScalarType type, int height, const Scope& scope);
  ir::Expr make_fold(ir::ScalarType type, int height, const Scope& scope);
  ir::FoldOp fold_for(ir::ScalarType type, bool one_range);
  Bound make_bound(const Scope& scope, std::int64_t most);
  ir::Expr make_step(const Scope& scope);

  World& world_;
  Random& random_;
};

/// An untyped literal, as a program's text has it.
ir::Expr number(std::int64_t value);

}  // namespace gyre::support
