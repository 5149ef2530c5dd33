/// The one meaning of each operator, conversion and fold, on values.
///
/// Each is one call of its function in scalar_ops.hpp. Leaves out lazy evaluation, loads and ranges
/// (interpret.hpp).
#pragma once

#include "gyre/ir/op.hpp"
#include "gyre/ir/value.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gyre::ir {

/// `op` on operands of the types that op.def asks for; others are an internal error.
Value eval(Op op, std::span<const Value> operands);

/// The conversion of `value` to a value type (not f16 or bf16, which only buffers hold).
Value convert(const Value& value, ScalarType type);

/// One or more terms of a fold, combined; `index` is where the chosen term of argmin and argmax
/// stood.
struct Partial {
  Value value;
  std::int64_t index = 0;
};

/// A single term as a partial: `count` counts it, the others keep it.
Partial fold_first(FoldOp op, const Value& term, std::int64_t index);
/// The terms of `left` and then those of `right`.
Partial fold_combine(FoldOp op, const Partial& left, const Partial& right);
/// The value of a fold whose terms are all in `partial`.
Value fold_result(FoldOp op, const Partial& partial);
/// The value of a fold of no terms, of operands of `operand` type.
Value fold_empty(FoldOp op, ScalarType operand);

/// A fold in its strand shape (strands.hpp), fed one term at a time so that no list of terms is
/// ever held.
class StrandFold {
 public:
  /// For terms of `operand` type on `strands` strands.
  StrandFold(FoldOp op, ScalarType operand, std::int64_t strands);

  /// Takes the next term in row-major order; `index` matters to argmin and argmax alone.
  void add(const Value& term, std::int64_t index = 0);
  /// The fold of all terms taken; call it once.
  Value finish();

 private:
  FoldOp op_;
  ScalarType operand_;
  std::size_t strands_;
  std::size_t next_ = 0;
  std::vector<Partial> partials_;
};

}  // namespace gyre::ir
