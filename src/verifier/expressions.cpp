/// Why an expression has no type. Each rule speaks of a node whose own parts all have one.
#include "mismatch.hpp"
#include "rules.hpp"

#include <algorithm>

namespace gyre::verifier {
namespace {

using ir::ScalarType;

bool have_types(const std::vector<ir::Expr>& exprs) {
  return std::all_of(exprs.begin(), exprs.end(),
                     [](const auto& e) { return e->type != ScalarType::Invalid; });
}

std::string type_list(const std::vector<ir::Expr>& exprs) {
  std::string text;
  for (std::size_t i = 0; i < exprs.size(); ++i) {
    if (i != 0) text += i + 1 == exprs.size() ? " and " : ", ";
    text += name_of(exprs[i]->type);
  }
  return text;
}

// Where the operands are of fitting types that differ: converting the narrower of two numbers.
std::string unify_hint(const Survey& survey, const ir::Apply& apply) {
  const ir::Expr& a = apply.operands[apply.operands.size() - 2];
  const ir::Expr& b = apply.operands.back();
  const auto weight = [](ScalarType t) {
    if (t == ScalarType::Bool) return 4;
    return (ir::is_float(t) ? 2 : 0) + (t == ScalarType::I64 || t == ScalarType::F64 ? 1 : 0);
  };
  return weight(a->type) < weight(b->type) ? conversion_hint(survey, a, b->type)
                                           : conversion_hint(survey, b, a->type);
}

std::string operand_hint(const Survey& survey, const ir::Apply& apply) {
  const ir::OperandClass wanted = ir::info(apply.op).operands;
  if (wanted == ir::OperandClass::Chosen && apply.operands[0]->type != ScalarType::Bool) {
    return conversion_hint(survey, apply.operands[0], ScalarType::Bool);
  }
  const auto offending =
      std::find_if(apply.operands.begin(), apply.operands.end(),
                   [&](const ir::Expr& e) { return !ir::admits(wanted, e->type); });
  if (offending == apply.operands.end()) return unify_hint(survey, apply);
  if (wanted == ir::OperandClass::Bool)
    return conversion_hint(survey, *offending, ScalarType::Bool);
  const bool to_float = wanted == ir::OperandClass::Float;
  return conversion_hint(survey, *offending, to_float ? ScalarType::F64 : ScalarType::I64);
}

bool holds_misfit(const ir::Apply& apply) {
  for (const ir::Expr& literal : apply.operands) {
    for (const ir::Expr& other : apply.operands) {
      if (is_misfit_literal(literal, other->type)) return true;
    }
  }
  return false;
}

}  // namespace

void check_operand_type(const Survey& survey, Report& report) {
  survey.each_expr<ir::Apply>([&](const ExprSite& at, const ir::Apply& apply) {
    const ir::OpInfo& row = ir::info(apply.op);
    const std::string op = quoted(row.spelling);
    if (apply.operands.size() != row.arity) {
      report.error(at, op + " takes " + std::to_string(row.arity) + " operands, not " +
                           std::to_string(apply.operands.size()));
      return;
    }
    if (at.node->type != ScalarType::Invalid || !have_types(apply.operands)) return;
    if (holds_misfit(apply)) return;
    report.error(at,
                 op + " takes " + std::string(describe(row.operands)) +
                     (row.arity == 2 ? " on both sides, of one type," : "") + " and is given " +
                     type_list(apply.operands),
                 operand_hint(survey, apply));
  });
}

void check_cast_type(const Survey& survey, Report& report) {
  survey.each_expr<ir::Cast>([&](const ExprSite& at, const ir::Cast& cast) {
    if (at.node->type != ScalarType::Invalid || cast.operand->type == ScalarType::Invalid) return;
    report.error(at, "a value cannot be converted to a type that only buffers hold",
                 "convert to f32: a store to an f16 or bf16 buffer rounds by itself");
  });
}

void check_fold_operand(const Survey& survey, Report& report) {
  survey.each_expr<ir::Fold>([&](const ExprSite& at, const ir::Fold& fold) {
    const ScalarType type = fold.operand->type;
    if (type == ScalarType::Invalid || fold_type(fold.op, type) != ScalarType::Invalid) return;
    const bool wants_bool = ir::folds_conditions(fold.op);
    report.error(at,
                 quoted(name_of(fold.op)) + " folds " + (wants_bool ? "conditions" : "numbers") +
                     ", not values of type " + std::string(name_of(type)),
                 wants_bool ? "compare the operand: (x != 0)"
                            : "count conditions with 'count', or join them with 'any' and 'all'");
  });
}

void check_fold_ranges(const Survey& survey, Report& report) {
  survey.each_expr<ir::Fold>([&](const ExprSite& at, const ir::Fold& fold) {
    const std::size_t count = fold.ranges.size();
    if (ir::folds_to_index(fold.op) ? count == 1 : count > 0) return;
    report.error(at,
                 quoted(name_of(fold.op)) + " has " + std::to_string(count) + " ranges and takes " +
                     (ir::folds_to_index(fold.op) ? "one" : "one or more"),
                 ir::folds_to_index(fold.op)
                     ? "fold over one range of all places and compute both indices from its result"
                     : "say over which indices to fold");
  });
}

void check_range_bounds(const Survey& survey, Report& report) {
  survey.each_range([&](const RegionSite& at, const ir::Range& range) {
    for (const ir::Expr& bound : {range.begin, range.end, range.step}) {
      if (!bound || bound->type == ScalarType::Invalid || ir::is_integer(bound->type)) continue;
      report.error(
          at, bound->loc,
          "the range of " + quoted(survey.symbol(range.index).name) +
              " has a bound or a step of type " + std::string(name_of(bound->type)),
          "bounds and steps are integers: " + conversion_hint(survey, bound, ScalarType::I64));
    }
  });
}

void check_zero_step(const Survey& survey, Report& report) {
  survey.each_range([&](const RegionSite& at, const ir::Range& range) {
    const auto* literal = ir::as<ir::Literal>(range.step);
    if (literal == nullptr || !ir::is_integer(range.step->type)) return;
    if (literal->value.as_integer() != 0) return;
    report.error(at, range.step->loc,
                 "the range of " + quoted(survey.symbol(range.index).name) + " has the step 0",
                 "a positive step counts up, a negative one down");
  });
}

}  // namespace gyre::verifier
