/// Device-wide primitives: what orders, selects and combines the values of an expression over a
/// whole range.
///
/// Leaves out how each is computed: passes/lower_primitives makes parallel loops of them.
#pragma once

#include "gyre/ir/expr.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace gyre::ir {

enum class PrimitiveOp : std::uint8_t {
  /// y[j] = the fold of the terms up to and including term j; `exclusive`: of those before it. Its
  /// shape is that of scan_shape.hpp.
  Scan,
  /// The values, ordered by the first of them as `before` has it, equal ones in their old order;
  /// `descending`: greater ones first. NaN stands last either way.
  Sort,
  /// The values of the indices for which the condition holds, in order, and how many they are.
  Compact,
  /// The greatest values (`smallest`: the least) in the order of argmax (argmin) and the indices
  /// they stand at: as many as the output has places. Those left over hold what max (min) and
  /// argmax of nothing are.
  Topk,
  /// How many values each whole number from 0 has; those outside the output are not counted.
  Histogram,
  /// Of each run of equal keys side by side, the key and the inner fold of its terms, and how many
  /// runs there are. NaN is equal to nothing.
  ReduceByKey,
};

/// `op` over the indices of `range`. Scan, sort, topk and histogram evaluate all operands before
/// they store anything, so that they may write what they read.
///
///     scan           y                = term
///     sort           keys, values, …  = key, value, …
///     compact        kept, …, count   = value, … where condition
///     topk           best, at         = value             (at may be left out)
///     histogram      counts           = number
///     reduce_by_key  keys, y, count   = key, term
///
/// The outputs of scan and sort have room for the whole range: a longer one is a fault of the first
/// that lacks it. What compact and reduce_by_key store beyond their outputs is one as well.
struct Primitive {
  PrimitiveOp op = PrimitiveOp::Scan;
  Range range = {};
  /// Buffers of one dimension, and last the scalar that tells how many.
  std::vector<SymbolId> outputs = {};
  /// What each index gives, in the order above; compact's condition comes first.
  std::vector<Expr> operands = {};
  /// Of scan and reduce_by_key.
  FoldOp fold = FoldOp::Sum;
  /// Whether `exclusive`, `descending` or `smallest` is said.
  bool option = false;
};

struct PrimitiveInfo {
  PrimitiveOp op;
  std::string_view name;
  /// The word of Primitive::option; empty where there is none.
  std::string_view option;
  /// Whether its last operand is folded, and its last output tells how many.
  bool folds;
  bool counts;
};

std::span<const PrimitiveInfo> all_primitives();
const PrimitiveInfo& info(PrimitiveOp op);
/// The primitive called so.
std::optional<PrimitiveOp> parse_primitive(std::string_view name);

/// The output that operand number `operand` is for, whose type it takes; none for conditions and
/// for the numbers that histogram counts.
std::optional<std::size_t> output_of(const Primitive& op, std::size_t operand);

/// How sort and topk order keys: one stands before another where `before` says so of the two,
/// `negated` first and then `swapped`.
struct KeyOrder {
  bool negated = false;
  bool swapped = false;
};
/// The order of the keys of `op`, a sort or a topk: of its first operand's type.
KeyOrder key_order(const Primitive& op);

}  // namespace gyre::ir
