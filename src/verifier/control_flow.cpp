/// Conditions, trip limits, cases and jumps.
#include "mismatch.hpp"
#include "rules.hpp"

#include <algorithm>

namespace gyre::verifier {
namespace {

using ir::ScalarType;

void judge_condition(const Survey& survey, const RegionSite& at, const ir::Expr& condition,
                     Report& report) {
  if (condition->type == ScalarType::Invalid || condition->type == ScalarType::Bool) return;
  report.error(at, condition->loc,
               "the condition is of type " + std::string(name_of(condition->type)) + ", not bool",
               conversion_hint(survey, condition, ScalarType::Bool));
}

// Calls `f(site, bound, word)` for each limit and expect.
template <class F>
void each_limit(const Survey& survey, F f) {
  survey.each<ir::While>([&](const RegionSite& at, const ir::While& op) {
    if (op.limit) f(at, op.limit, "limit");
    if (op.expect) f(at, op.expect, "expect");
  });
}

std::string written(const ir::Case::Label& label) {
  if (label.last - 1 == label.first) return std::to_string(label.first);
  return std::to_string(label.first) + ".." + std::to_string(label.last);
}

std::string instead_of_jump(const RegionSite& at) {
  if (at.foreach != nowhere) {
    return "an index of a foreach ends by itself: guard what follows with 'if'";
  }
  if (at.fork != nowhere) {
    return "all arms of a fork finish, so that none leaves a loop around it: jump behind the fork";
  }
  return "it leaves the while, do or for around it; 'stop' ends the program";
}

}  // namespace

void check_condition_type(const Survey& survey, Report& report) {
  survey.each<ir::If>([&](const RegionSite& at, const ir::If& op) {
    judge_condition(survey, at, op.condition, report);
  });
  survey.each<ir::While>([&](const RegionSite& at, const ir::While& op) {
    judge_condition(survey, at, op.condition, report);
  });
}

void check_selector_type(const Survey& survey, Report& report) {
  survey.each<ir::Switch>([&](const RegionSite& at, const ir::Switch& op) {
    const ScalarType type = op.selector->type;
    if (type == ScalarType::Invalid || ir::is_integer(type)) return;
    report.error(at, op.selector->loc,
                 "the selector is of type " + std::string(name_of(type)) + ", not an integer",
                 type == ScalarType::Bool ? "use 'if' for a choice of two"
                                          : conversion_hint(survey, op.selector, ScalarType::I64));
  });
}

void check_empty_label(const Survey& survey, Report& report) {
  survey.each<ir::Switch>([&](const RegionSite& at, const ir::Switch& op) {
    for (const ir::Case& one : op.cases) {
      if (one.labels.empty()) report.error(at, one.loc, "a case has no label");
      for (const auto& label : one.labels) {
        if (label.first < label.last) continue;
        report.error(at, one.loc,
                     "the label " + std::to_string(label.first) + ".." +
                         std::to_string(label.last) + " holds nothing",
                     "a range of labels leaves out its end: write n..m with n < m");
      }
    }
  });
}

void check_overlapping_cases(const Survey& survey, Report& report) {
  struct Owned {
    ir::Case::Label label;
    std::size_t owner;
  };
  survey.each<ir::Switch>([&](const RegionSite& at, const ir::Switch& op) {
    std::vector<Owned> labels;
    for (std::size_t i = 0; i < op.cases.size(); ++i) {
      for (const auto& label : op.cases[i].labels) {
        if (label.first < label.last) labels.push_back({label, i});
      }
    }
    std::stable_sort(labels.begin(), labels.end(),
                     [](const Owned& a, const Owned& b) { return a.label.first < b.label.first; });
    for (std::size_t i = 0, widest = 0; i < labels.size(); ++i) {
      if (i != 0 && labels[i].label.first < labels[widest].label.last) {
        const std::size_t later = std::max(labels[i].owner, labels[widest].owner);
        report.error(at, op.cases[later].loc,
                     "the labels " + written(labels[widest].label) + " and " +
                         written(labels[i].label) + " overlap",
                     "let each value belong to one case");
      }
      if (labels[i].label.last > labels[widest].label.last) widest = i;
    }
  });
}

void check_limit_type(const Survey& survey, Report& report) {
  each_limit(survey, [&](const RegionSite& at, const ir::Expr& bound, std::string_view word) {
    if (bound->type == ScalarType::Invalid || ir::is_integer(bound->type)) return;
    report.error(at, bound->loc,
                 "the " + std::string(word) + " is of type " + std::string(name_of(bound->type)) +
                     ", not an integer",
                 conversion_hint(survey, bound, ScalarType::I64));
  });
}

void check_negative_limit(const Survey& survey, Report& report) {
  each_limit(survey, [&](const RegionSite& at, const ir::Expr& bound, std::string_view word) {
    const auto* literal = ir::as<ir::Literal>(bound);
    if (literal == nullptr || !ir::is_integer(bound->type)) return;
    if (literal->value.as_integer() >= 0) return;
    report.error(at, bound->loc, "the " + std::string(word) + " is negative",
                 "it counts trips: 0 lets none happen");
  });
}

void check_jump_outside_loop(const Survey& survey, Report& report) {
  const auto judge = [&](const RegionSite& at, std::string_view word) {
    if (at.loop != nowhere) return;
    report.error(at, at.node->loc, quoted(word) + " stands in no loop", instead_of_jump(at));
  };
  survey.each<ir::Break>([&](const RegionSite& at, const auto&) { judge(at, "break"); });
  survey.each<ir::Continue>([&](const RegionSite& at, const auto&) { judge(at, "continue"); });
}

void check_stop_code(const Survey& survey, Report& report) {
  survey.each<ir::Stop>([&](const RegionSite& at, const ir::Stop& op) {
    if (!op.code || op.code->type == ScalarType::Invalid || ir::is_integer(op.code->type)) return;
    report.error(
        at, op.code->loc,
        "the code of a stop is of type " + std::string(name_of(op.code->type)) + ", not an integer",
        conversion_hint(survey, op.code, ScalarType::I64));
  });
}

}  // namespace gyre::verifier
