#include "gyre/ir/op.hpp"

#include <algorithm>
#include <array>

namespace gyre::ir {
namespace {

constexpr OpInfo rows[] = {
#define GYRE_OP(id, function, spelling, form, arity, operands, result, bits) \
  {Op::id,                                                                   \
   #function,                                                                \
   spelling,                                                                 \
   OpForm::form,                                                             \
   arity,                                                                    \
   OperandClass::operands,                                                   \
   ResultClass::result,                                                      \
   OpBits::bits},
#include "gyre/ir/op.def"
};

struct FoldRow {
  FoldOp op;
  std::string_view name;
};

constexpr std::array<FoldRow, 9> fold_rows = {{{FoldOp::Sum, "sum"},
                                               {FoldOp::Prod, "prod"},
                                               {FoldOp::Min, "min"},
                                               {FoldOp::Max, "max"},
                                               {FoldOp::Any, "any"},
                                               {FoldOp::All, "all"},
                                               {FoldOp::Count, "count"},
                                               {FoldOp::Argmin, "argmin"},
                                               {FoldOp::Argmax, "argmax"}}};

template <class Fits>
std::optional<Op> find_op(std::string_view spelling, Fits fits) {
  for (const OpInfo& row : rows) {
    if (row.spelling == spelling && fits(row.form)) return row.op;
  }
  return std::nullopt;
}

}  // namespace

std::span<const OpInfo> all_ops() {
  return rows;
}

const OpInfo& info(Op op) {
  return rows[static_cast<std::size_t>(op)];
}

std::optional<Op> infix_op(std::string_view spelling) {
  return find_op(spelling, [](OpForm f) { return f != OpForm::Call && f != OpForm::Prefix; });
}

std::optional<Op> prefix_op(std::string_view spelling) {
  return find_op(spelling, [](OpForm f) { return f == OpForm::Prefix; });
}

std::optional<Op> call_op(std::string_view spelling) {
  return find_op(spelling, [](OpForm f) { return f == OpForm::Call; });
}

std::string_view describe(OperandClass operands) {
  switch (operands) {
    case OperandClass::Number: return "a number";
    case OperandClass::Integer: return "an integer";
    case OperandClass::Float: return "an f32 or f64";
    case OperandClass::Bool: return "a bool";
    case OperandClass::Logic: return "a bool or an integer";
    case OperandClass::Any: return "a value";
    case OperandClass::Long: return "an i64";
    case OperandClass::Chosen: return "a bool and two values of one type";
  }
  return "a value";
}

std::span<const FoldOp> all_folds() {
  static constexpr auto ops = [] {
    std::array<FoldOp, fold_rows.size()> out{};
    std::transform(fold_rows.begin(), fold_rows.end(), out.begin(),
                   [](const FoldRow& row) { return row.op; });
    return out;
  }();
  return ops;
}

std::string_view name_of(FoldOp op) {
  return fold_rows[static_cast<std::size_t>(op)].name;
}

std::optional<FoldOp> parse_fold(std::string_view name) {
  for (const FoldRow& row : fold_rows) {
    if (row.name == name) return row.op;
  }
  return std::nullopt;
}

ScalarType fold_type(FoldOp op, ScalarType operand) {
  if (folds_conditions(op)) {
    if (operand != ScalarType::Bool) return ScalarType::Invalid;
    return op == FoldOp::Count ? ScalarType::I64 : ScalarType::Bool;
  }
  if (!is_number(operand)) return ScalarType::Invalid;
  return folds_to_index(op) ? ScalarType::I64 : operand;
}

}  // namespace gyre::ir
