/// The operators of expressions, as data. Their rows are in op.def, their meaning in
/// scalar_ops.hpp and random_ops.hpp.
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
enum class OperandClass : std::uint8_t { Number, Integer, Float, Bool, Logic, Any, Long, Chosen };
/// Of the operands' type, or of one that the operator names.
enum class ResultClass : std::uint8_t { Same, Bool, I64, F32, F64 };
/// Whether an operator gives the same bits on every machine.
enum class OpBits : std::uint8_t { Exact, Inexact };

/// A row of op.def.
struct OpInfo {
  Op op;
  /// The C++ function in gyre::ops.
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
constexpr bool admits(OperandClass operands, ScalarType type) {
  switch (operands) {
    case OperandClass::Number: return is_number(type);
    case OperandClass::Integer: return is_integer(type);
    case OperandClass::Float: return is_float(type);
    case OperandClass::Bool: return type == ScalarType::Bool;
    case OperandClass::Logic: return type == ScalarType::Bool || is_integer(type);
    case OperandClass::Any:
    case OperandClass::Chosen: return type == ScalarType::Bool || is_number(type);
    case OperandClass::Long: return type == ScalarType::I64;
  }
  return false;
}
/// The type of the result on operands of type `operand`.
constexpr ScalarType type_of_result(ResultClass result, ScalarType operand) {
  switch (result) {
    case ResultClass::Same: return operand;
    case ResultClass::Bool: return ScalarType::Bool;
    case ResultClass::I64: return ScalarType::I64;
    case ResultClass::F32: return ScalarType::F32;
    case ResultClass::F64: return ScalarType::F64;
  }
  return ScalarType::Invalid;
}
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
