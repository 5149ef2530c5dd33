/// What a tree must be before anything can be said of it. Only built programs break these rules.
#include "rules.hpp"

#include <algorithm>

namespace gyre::verifier {
namespace {

bool lacks(const ir::Range& range) {
  return !range.begin || !range.end;
}
bool lacks_any(const std::vector<ir::Expr>& exprs) {
  return std::any_of(exprs.begin(), exprs.end(), [](const ir::Expr& e) { return !e; });
}

// Kinds whose parts are all optional, or none.
template <class Kind>
bool lacks_part(const Kind&) {
  return false;
}
bool lacks_part(const ir::Seq& seq) {
  return std::any_of(seq.items.begin(), seq.items.end(), [](const auto& item) { return !item; });
}
bool lacks_part(const ir::Let& op) {
  return !op.value;
}
bool lacks_part(const ir::Assign& op) {
  return !op.value || lacks_any(op.place.index);
}
bool lacks_part(const ir::Scatter& op) {
  return !op.value || lacks_any(op.place.index);
}
bool lacks_part(const ir::Foreach& op) {
  return !op.body || op.ranges.empty() ||
         std::any_of(op.ranges.begin(), op.ranges.end(), [](const auto& r) { return lacks(r); });
}
bool lacks_part(const ir::Call& op) {
  return !op.callee;
}
bool lacks_part(const ir::Fill& op) {
  return !op.value;
}
bool lacks_part(const ir::Primitive& op) {
  return lacks(op.range) || op.operands.empty() || op.outputs.empty() || lacks_any(op.operands);
}
bool lacks_part(const ir::If& op) {
  return !op.condition || !op.then;
}
bool lacks_part(const ir::While& op) {
  return !op.condition || !op.body;
}
bool lacks_part(const ir::For& op) {
  return !op.body || lacks(op.range);
}
bool lacks_part(const ir::Switch& op) {
  return !op.selector ||
         std::any_of(op.cases.begin(), op.cases.end(), [](const auto& c) { return !c.body; });
}
bool lacks_part(const ir::Fork& op) {
  return op.arms.empty() ||
         std::any_of(op.arms.begin(), op.arms.end(), [](const auto& arm) { return !arm; });
}
bool lacks_part(const ir::CheckStep& op) {
  return !op.step;
}
bool lacks_part(const ir::CountTrips& op) {
  return !op.trips;
}

bool lacks_part(const ir::Load& load) {
  return lacks_any(load.index);
}
bool lacks_part(const ir::Apply& apply) {
  return lacks_any(apply.operands);
}
bool lacks_part(const ir::Cast& cast) {
  return !cast.operand;
}
bool lacks_part(const ir::Fold& fold) {
  return !fold.operand || std::any_of(fold.ranges.begin(), fold.ranges.end(),
                                      [](const auto& r) { return lacks(r); });
}

bool lacks_part(const ir::Symbol& symbol) {
  return lacks_any(symbol.extents);
}

template <class Kind>
bool any_lacks(const Kind& kind) {
  return std::visit([](const auto& one) { return lacks_part(one); }, kind);
}

constexpr std::string_view build_hint = "build it with the make_ functions and leave no part null";

}  // namespace

void check_incomplete_region(const Survey& survey, Report& report) {
  if (!survey.program().body) {
    report.error_outside(survey.program().loc, "the program has no body", std::string(build_hint));
  }
  for (const RegionSite& site : survey.regions()) {
    if (any_lacks(site.node->kind)) {
      report.error(site, site.node->loc, "this region lacks a part", std::string(build_hint));
    }
  }
  for (const ExprSite& site : survey.exprs()) {
    if (any_lacks(site.node->kind)) {
      report.error(site, "this expression lacks a part", std::string(build_hint));
    }
  }
  for (const ir::Symbol& symbol : survey.program().symbols) {
    if (lacks_part(symbol)) {
      report.error_outside(symbol.loc, "buffer " + quoted(symbol.name) + " lacks an extent",
                           std::string(build_hint));
    }
  }
}

void check_region_depth(const Survey& survey, Report& report) {
  for (const RegionSite& site : survey.regions()) {
    if (site.depth > ir::max_region_depth) {
      report.error(site, site.node->loc,
                   "blocks are nested deeper than " + std::to_string(ir::max_region_depth),
                   "make a loop or a switch of what repeats");
      return;
    }
  }
}

void check_expr_depth(const Survey& survey, Report& report) {
  for (const ExprSite& site : survey.exprs()) {
    if (site.node->depth > ir::max_expr_depth) {
      report.error(site,
                   "an expression is nested deeper than " + std::to_string(ir::max_expr_depth),
                   "name its parts with let");
      return;
    }
  }
}

void check_unknown_symbol(const Survey& survey, Report& report) {
  const auto judge = [&](const RegionSite& at, ir::SymbolId id, const SourceLoc& loc) {
    if (survey.knows(id)) return;
    report.error(
        at, loc,
        "symbol " + std::to_string(static_cast<std::size_t>(id)) + " is none of this program's",
        "use only what this program declared; each has symbols of its own");
  };
  for (const Access& read : survey.reads())
    judge(survey.region(read.region), read.symbol, read.loc);
  for (const Access& write : survey.writes()) {
    judge(survey.region(write.region), write.symbol, write.loc);
  }
  survey.each_range(
      [&](const RegionSite& at, const ir::Range& range) { judge(at, range.index, at.node->loc); });
  survey.each<ir::Declare>(
      [&](const RegionSite& at, const ir::Declare& op) { judge(at, op.symbol, at.node->loc); });
  survey.each<ir::Let>(
      [&](const RegionSite& at, const ir::Let& op) { judge(at, op.symbol, at.node->loc); });
}

}  // namespace gyre::verifier
