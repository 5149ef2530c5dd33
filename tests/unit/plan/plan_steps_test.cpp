#include "gyre/plan/plan_steps.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/print_plan.hpp"
#include "gyre/text/parser.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

// A program for which each step does something.
constexpr const char* text = R"(program p(n: size) {
  in    b: f64[n]
  inout x: f64[n]
  out   change: f64 = 1.0, low: bool, y: f64[n], twice: f64
  temp  next: f64[n], r: f64[n]
  foreach i in 0..n { r[i] = 2.0 * b[i] }
  foreach i in 0..n { x[i] = x[i] + r[i] }
  while change > 1e-6 {
    foreach i in 0..n { next[i] = 0.5 * (x[i] + x[n - 1 - i]) }
    change = max(i in 0..n) abs(next[i] - x[i])
    if change < 1e-3 { low = true }
    copy x = next
  }
  copy y = x
  twice = 2.0 * change
})";

std::string plan_with(const PlanSteps& steps) {
  return print_plan(make_plan(passes::run_passes(text::parse_program("test.gyre", text)), steps));
}

TEST(PlanSteps, EachIsInTheTableOnce) {
  PlanSteps taken;
  for (const PlanStepInfo& step : plan_steps()) {
    EXPECT_FALSE(taken.*step.taken) << step.name;
    taken.*step.taken = true;
  }

  EXPECT_EQ(taken, all_steps);
}

TEST(PlanSteps, EachMayBeLeftOutByItself) {
  const std::string whole = plan_with(all_steps);
  for (const PlanStepInfo& step : plan_steps()) {
    PlanSteps others = all_steps;
    others.*step.taken = false;

    EXPECT_NE(plan_with(others), whole) << step.name;
  }
}

TEST(PlanSteps, EachMayBeTakenByItself) {
  const std::string bare = plan_with(no_steps);
  for (const PlanStepInfo& step : plan_steps()) {
    PlanSteps alone;
    alone.*step.taken = true;

    EXPECT_NE(plan_with(alone), bare) << step.name;
  }
}

}  // namespace
}  // namespace gyre::plan
