/// A value's type against the type of what takes it.
#include "stored_values.hpp"

#include "mismatch.hpp"
#include "rules.hpp"

#include <type_traits>

namespace gyre::verifier {
namespace {

using ir::ScalarType;

// Reports each value that one of `Kinds` takes and whose type does not fit.
template <class... Kinds>
void judge_values(const Survey& survey, Report& report, std::string_view verb) {
  each_stored_value(survey, [&](const RegionSite& at, const auto& kind, const ir::Expr& value,
                                ScalarType wanted, ir::SymbolId symbol) {
    if constexpr ((std::is_same_v<std::decay_t<decltype(kind)>, Kinds> || ...)) {
      if (!is_mismatch(value, wanted)) return;
      report.error(at, value->loc,
                   quoted(survey.symbol(symbol).name) + " is of type " +
                       std::string(name_of(survey.symbol(symbol).type)) + " and " +
                       std::string(verb) + " of type " + std::string(name_of(value->type)),
                   conversion_hint(survey, value, wanted));
    }
  });
}

}  // namespace

void check_assigned_type(const Survey& survey, Report& report) {
  judge_values<ir::Assign, ir::Scatter>(survey, report, "is assigned a value");
  survey.each<ir::Assign>([&](const RegionSite& at, const ir::Assign& op) {
    const ScalarType type = ir::loaded_type(survey.symbol(op.place.symbol).type);
    if (!op.op || type == ScalarType::Invalid || ir::admits(ir::info(*op.op).operands, type)) {
      return;
    }
    const std::string spelling(ir::info(*op.op).spelling);
    report.error(at, op.place.loc,
                 "'" + spelling + "=' takes " + std::string(describe(ir::info(*op.op).operands)) +
                     ", and " + quoted(survey.symbol(op.place.symbol).name) + " is of type " +
                     std::string(name_of(type)),
                 "assign with '=' and write out what is stored");
  });
}

void check_let_type(const Survey& survey, Report& report) {
  judge_values<ir::Let>(survey, report, "names a value");
}

void check_fill_value(const Survey& survey, Report& report) {
  judge_values<ir::Fill>(survey, report, "is filled with a value");
}

void check_initial_type(const Survey& survey, Report& report) {
  judge_values<ir::Declare>(survey, report, "starts with a value");
}

}  // namespace gyre::verifier
