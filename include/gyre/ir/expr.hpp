/// Expressions: immutable, typed, shared trees.
///
/// The `make_` functions are the only way to build one. They give every node its type: literals
/// take the other operand's type, i32 and f32 widen, and a node whose operands do not fit gets the
/// type Invalid, which the verifier explains. Leaves out evaluation (eval.hpp, interpret.hpp).
#pragma once

#include "gyre/base/source_loc.hpp"
#include "gyre/ir/op.hpp"
#include "gyre/ir/value.hpp"

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

namespace gyre::ir {

/// Names a symbol of one program: an index into Program::symbols.
enum class SymbolId : std::uint32_t {};

struct ExprNode;
using Expr = std::shared_ptr<const ExprNode>;

/// A constant. A `flexible` one was written without a type and takes it from its surroundings.
struct Literal {
  Value value;
  bool flexible = false;
};

/// The value of a scalar, a size, a let or a loop index.
struct Read {
  SymbolId symbol;
};

/// One element of a buffer, `index` row-major, one per dimension. f16 and bf16 load as f32.
struct Load {
  SymbolId buffer;
  std::vector<Expr> index;
};

/// An operator of op.def on its operands. `||`, `&&` and `select` evaluate only what they choose.
struct Apply {
  Op op;
  std::vector<Expr> operands;
};

/// The operand converted to the node's type. An `implicit` one was not written.
struct Cast {
  Expr operand;
  bool implicit = false;
};

/// The half-open range `begin..end`, by `step` (null: 1). Bounds and step are read once.
struct Range {
  SymbolId index;
  Expr begin;
  Expr end;
  Expr step;
};

/// `op` over the operand's values at every point of `ranges`, row-major, in the shape of
/// strands.hpp: outer in a scalar expression, inner within a foreach or another fold.
struct Fold {
  FoldOp op;
  std::vector<Range> ranges;
  Expr operand;
};

using ExprKind = std::variant<Literal, Read, Load, Apply, Cast, Fold>;

struct ExprNode {
  ExprKind kind;
  ScalarType type = ScalarType::Invalid;
  SourceLoc loc;
  /// The height of the tree; the parser and the verifier bound it, so that recursion is safe.
  std::uint32_t depth = 1;
};

/// Trees of greater height are refused.
inline constexpr std::uint32_t max_expr_depth = 500;

/// The node as `Kind`, or null where it is another kind.
template <class Kind>
const Kind* as(const Expr& expr) {
  return expr ? std::get_if<Kind>(&expr->kind) : nullptr;
}

Expr make_literal(Value value, const SourceLoc& loc = {});
/// An untyped constant: an integer is i32 (i64 where it does not fit) and a number f64, until the
/// surroundings say otherwise.
Expr make_flexible(std::int64_t value, const SourceLoc& loc = {});
Expr make_flexible(double value, const SourceLoc& loc = {});
Expr make_read(SymbolId symbol, ScalarType type, const SourceLoc& loc = {});
/// `element` is the buffer's type; the node has its loaded type.
Expr make_load(SymbolId buffer, ScalarType element, std::vector<Expr> index,
               const SourceLoc& loc = {});
Expr make_apply(Op op, std::vector<Expr> operands, const SourceLoc& loc = {});
/// A cast that the program wrote. A flexible literal becomes a literal of `type`.
Expr make_cast(ScalarType type, Expr operand, const SourceLoc& loc = {});
Expr make_fold(FoldOp op, std::vector<Range> ranges, Expr operand, const SourceLoc& loc = {});

/// Gives bounds and step one integer type (i32 or i64), which is the index's; Invalid where they
/// have none.
ScalarType unify_range(Range& range);

/// `expr` as `type` where it becomes that by itself (a flexible literal, a widening), else `expr`
/// unchanged: the caller compares types.
Expr coerce(Expr expr, ScalarType type);
/// Brings all to one type by coercion; false, and unchanged, where none fits.
bool unify(std::vector<Expr>& exprs);

/// Whether only a run can tell that the step is not 0: it is neither left out nor another literal.
bool step_may_be_zero(const Range& range);
/// Whether a fold, a load or a division of labour hides in `expr`: its kinds, anywhere in it.
bool contains_fold(const Expr& expr);
bool contains_load(const Expr& expr);
/// Whether both are the same tree, up to places and node identity.
bool same_expr(const Expr& a, const Expr& b);

}  // namespace gyre::ir
