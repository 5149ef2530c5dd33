#include "gyre/plan/choices.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const ir::Callee> callee(const std::string& name, bool guarded) {
  auto made = std::make_shared<ir::Callee>();
  made->name = name;
  made->accesses = {ir::Access::ReadWrite};
  made->guarded = guarded;
  return made;
}

Plan chosen_plan(const std::string& text, bool fuse = true) {
  const text::CallRegistry calls = {{"plain", callee("plain", false)},
                                    {"polite", callee("polite", true)}};
  return make_plan(passes::run_passes(text::parse_program("test.gyre", text, calls)),
                   steps_of_run(!fuse));
}

Choices choices_of(const Plan& plan, const ChoicePolicy& policy = {}) {
  return make_choices(plan, shipped_cost_table(), policy);
}

std::string loop_around(const std::string& body) {
  return "program p(n: size) {\n  inout x: f64[n], k: i32\n  while k < 90 {\n" + body +
         "\n    k += 1\n  }\n}";
}

TEST(Choices, ALoopOfKernelsHoldsSeveralTrips) {
  EXPECT_GT(choices_of(chosen_plan(loop_around("foreach i in 0..n { x[i] += 1.0 }"))).copies_of(0),
            1U);
}

TEST(Choices, ALoopThatMakesOneTripHoldsOne) {
  const Plan plan = chosen_plan(R"(program p(n: size) {
  inout x: f64[n], k: i32
  while k < 90 expect 1 {
    foreach i in 0..n { x[i] += 1.0 }
    k += 1
  }
})");

  EXPECT_EQ(choices_of(plan).copies_of(0), 1U);
}

TEST(Choices, ACallUnrollsOnlyIfItPromisesAGuard) {
  const Plan plain = chosen_plan(loop_around("call plain(x)"));
  const Plan polite = chosen_plan(loop_around("call polite(x)"));

  EXPECT_EQ(choices_of(plain).copies_of(0), 1U);
  EXPECT_THAT(explain_choices(plain, shipped_cost_table()).at(0),
              HasSubstr("call 'plain' cannot be switched off"));
  EXPECT_GT(choices_of(polite).copies_of(0), 1U);
}

TEST(Choices, ABranchOfManyKernelsIsANodeAndKeepsItsLoopAtOneTrip) {
  std::string sweeps;
  for (int i = 0; i < 20; ++i) sweeps += "foreach i in 0..n independent { x[i] += 1.0 }\n";
  const Plan plan = chosen_plan(loop_around("if k > 3 {\n" + sweeps + "}"));

  const Choices choices = choices_of(plan);

  EXPECT_FALSE(choices.is_predicated(1));
  EXPECT_EQ(choices.copies_of(0), 1U);
  EXPECT_TRUE(choices_of(plan, {.predication = true}).is_predicated(1));
}

TEST(Choices, ASmallBranchStandsInLine) {
  const Plan plan =
      chosen_plan(loop_around("if k > 3 { foreach i in 0..n independent { x[i] += 1.0 } }"));

  EXPECT_TRUE(choices_of(plan).is_predicated(1));
  EXPECT_FALSE(choices_of(plan, {.predication = false}).is_predicated(1));
}

TEST(Choices, WhatTheHostDecidesIsNoGuard) {
  const Plan plan =
      chosen_plan(loop_around("if k > 3 { foreach i in 0..n independent { x[i] += 1.0 } }"));

  const Choices choices = choices_of(plan, {.copies = 4, .host_decides = {true, true}});

  EXPECT_FALSE(choices.is_predicated(1));
  EXPECT_EQ(choices.copies_of(0), 1U);
}

TEST(Choices, AnOuterLoopHoldsOneTrip) {
  const Plan plan = chosen_plan(R"(program p(n: size) {
  inout x: f64[n], k: i32
  while k < 9 {
    for i in 0..k { foreach j in 0..n { x[j] += 1.0 } }
    k += 1
  }
})");

  EXPECT_EQ(choices_of(plan, {.copies = 4}).copies, (std::vector<std::uint32_t>{1, 4}));
  EXPECT_THAT(explain_choices(plan, shipped_cost_table()).at(0),
              HasSubstr("since it holds a loop"));
}

}  // namespace
}  // namespace gyre::plan
