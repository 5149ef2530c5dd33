/// Numbers that do not fit the type which their surroundings give them.
#include "mismatch.hpp"
#include "rules.hpp"
#include "stored_values.hpp"

#include <utility>

namespace gyre::verifier {
namespace {

using ir::ScalarType;

void judge(const RegionSite& at, const ir::Expr& literal, ScalarType wanted, Report& report) {
  if (!is_misfit_literal(literal, wanted)) return;
  const auto wider = wanted == ScalarType::I32 ? ScalarType::I64 : ScalarType::F64;
  report.error(at, literal->loc,
               to_string(ir::as<ir::Literal>(literal)->value) + " does not fit " +
                   std::string(name_of(wanted)),
               "make what it meets an " + std::string(name_of(wider)) + ", or choose a number " +
                   "within " + std::string(name_of(wanted)));
}

}  // namespace

void check_literal_range(const Survey& survey, Report& report) {
  survey.each_expr<ir::Apply>([&](const ExprSite& at, const ir::Apply& apply) {
    if (at.node->type != ScalarType::Invalid) return;
    for (const ir::Expr& operand : apply.operands) {
      for (const ir::Expr& other : apply.operands) {
        judge(survey.region(at.region), operand, other->type, report);
      }
    }
  });
  each_stored_value(survey,
                    [&](const RegionSite& at, const auto&, const ir::Expr& value, ScalarType wanted,
                        ir::SymbolId) { judge(at, value, wanted, report); });
  survey.each<ir::Switch>([&](const RegionSite& at, const ir::Switch& op) {
    if (op.selector->type != ScalarType::I32) return;
    for (const ir::Case& one : op.cases) {
      for (const auto& label : one.labels) {
        if (label.first >= label.last) continue;
        if (std::in_range<std::int32_t>(label.first) &&
            std::in_range<std::int32_t>(label.last - 1)) {
          continue;
        }
        report.error(at, one.loc, "a label lies outside i32, the type of the selector",
                     "make the selector an i64: i64(x)");
      }
    }
  });
}

}  // namespace gyre::verifier
