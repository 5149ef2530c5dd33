/// The operators of expressions, as data. Their rows are in op.def, their meaning in
/// scalar_ops.hpp.
#pragma once

#include "gyre/ir/scalar_type.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gyre::ir {

enum class Op : std::uint8_t {
#define GYRE_OP(id, ...) id,
#include "gyre/ir/op.def"
};

/// How an operator is written; the levels are infix precedences, Level1 the loosest.
enum class OpForm : std::uint8_t {
  Call,
  Level1,
  Level2,
  Level3,
  Level4,
  Level5,
  Level6,
  Level7,
  Level8,
  Level9,
  Prefix,
};

/// What an operator's operands must be; op.def explains each.
enum class OperandClass : std::uint8_t { Number, Integer, Float, Bool, Logic, Any, Chosen };
enum class ResultClass : std::uint8_t { Same, Bool };
/// Whether an operator gives the same bits on every machine.
enum class OpBits : std::uint8_t { Exact, Inexact };

/// A row of op.def.
struct OpInfo {
  Op op;
  /// The C++ function in scalar_ops.hpp.
  std::string_view function;
  std::string_view spelling;
  OpForm form;
  std::uint8_t arity;
  OperandClass operands;
  ResultClass result;
  OpBits bits;
};

std::span<const OpInfo> all_ops();
const OpInfo& info(Op op);
/// The infix operator, prefix operator, or function spelled so.
std::optional<Op> infix_op(std::string_view spelling);
std::optional<Op> prefix_op(std::string_view spelling);
std::optional<Op> call_op(std::string_view spelling);

/// Whether `operands` admits `type` (for Chosen: as the second and third operand).
bool admits(OperandClass operands, ScalarType type);
/// `a number`, `an integer`, …: for messages.
std::string_view describe(OperandClass operands);

/// The folds of a range into one value.
enum class FoldOp : std::uint8_t { Sum, Prod, Min, Max, Any, All, Count, Argmin, Argmax };

std::span<const FoldOp> all_folds();
/// `sum`, `argmin`, …
std::string_view name_of(FoldOp op);
std::optional<FoldOp> parse_fold(std::string_view name);
/// Whether the operand of `op` is a condition (any, all, count) rather than a number.
constexpr bool folds_conditions(FoldOp op) {
  return op == FoldOp::Any || op == FoldOp::All || op == FoldOp::Count;
}
constexpr bool folds_to_index(FoldOp op) {
  return op == FoldOp::Argmin || op == FoldOp::Argmax;
}
/// The type of the fold of operands of `operand` type, or Invalid where they do not fit.
ScalarType fold_type(FoldOp op, ScalarType operand);

}  // namespace gyre::ir
