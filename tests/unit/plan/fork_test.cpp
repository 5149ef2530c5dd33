// Forks in plans: what becomes of arms, and what verify_plan finds in common between them.
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/kernel_faults.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/plan/verify_plan.hpp"
#include "gyre/plan/walk.hpp"
#include "support/programs.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

using testing::Contains;
using testing::HasSubstr;

Plan forked_plan(const std::string& body) {
  return make_plan(
      passes::run_passes(support::parse_ok("program p(n: size) {\n" + body + "\n}\n")));
}

ForkNode& fork_of(Plan& plan) {
  for (Node& node : plan.body.nodes) {
    if (auto* fork = std::get_if<ForkNode>(&node)) return *fork;
  }
  throw InternalError("the plan has no fork");
}

constexpr const char* two_sweeps = R"(inout x: f64[n], y: f64[n], a: f64, b: f64
fork {
  foreach i in 0..n { x[i] = a }
  a = sum(i in 0..n) x[i]
} and {
  foreach i in 0..n { y[i] = b }
  b = sum(i in 0..n) y[i]
})";

TEST(ForkPlan, ArmsAreBlocksOfTheirOwn) {
  Plan plan = forked_plan(two_sweeps);

  EXPECT_EQ(fork_of(plan).arms.size(), 2u);
  EXPECT_EQ(fork_of(plan).region, "p/fork#0");
  EXPECT_EQ(verify_plan(plan), std::vector<std::string>());
}

TEST(ForkPlan, AForkOfOneArmWithWorkIsThatArm) {
  const Plan plan =
      forked_plan("inout x: f64[n]\nfork { } and { foreach i in 0..n { x[i] = 1 } } and {}");

  ASSERT_EQ(plan.body.nodes.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Launch>(plan.body.nodes[0]));
}

TEST(ForkPlan, ArmsThatShareASlotOrABufferAreABreach) {
  Plan plan = forked_plan(two_sweeps);
  const auto first = std::get<Launch>(fork_of(plan).arms[0].nodes[0]).kernel;
  const auto second = std::get<Launch>(fork_of(plan).arms[1].nodes[0]).kernel;

  plan.kernels[second] = plan.kernels[first];

  EXPECT_THAT(verify_plan(plan), Contains(HasSubstr("arms 0 and 1 of p/fork#0 share x")));
  EXPECT_THAT(verify_plan(plan), Contains(HasSubstr("arms 0 and 1 of p/fork#0 share a,")));
}

TEST(ForkPlan, ArmsThatShareThePartialsOfAFoldAreABreach) {
  Plan plan = forked_plan(R"(in x: f64[n], y: f64[n]
out a: f64, b: f64
fork { a = sum(i in 0..n) x[i] } and { b = sum(i in 0..n) y[i] })");
  const auto first = std::get<Launch>(fork_of(plan).arms[0].nodes[0]).kernel;
  const auto second = std::get<Launch>(fork_of(plan).arms[1].nodes[0]).kernel;

  plan.kernels[second] = plan.kernels[first];

  EXPECT_THAT(verify_plan(plan), Contains(HasSubstr("share the partials of a")));
}

TEST(ForkPlan, TempsOfDifferentArmsThatMayShareMemoryAreABreach) {
  Plan plan = forked_plan(R"(inout x: f64[n], y: f64[n], z: f64[n]
fork {
  temp t: f64[n]
  foreach i in 0..n { t[i] = x[n - 1 - i] }
  foreach i in 0..n { x[i] = t[n - 1 - i] }
  foreach i in 0..n { z[i] = x[n - 1 - i] }
  foreach i in 0..n { x[i] = z[n - 1 - i] }
} and {
  temp u: f64[n]
  foreach i in 0..n { u[i] = y[n - 1 - i] }
  foreach i in 0..n { y[i] = u[n - 1 - i] }
})");
  ASSERT_EQ(plan.temporaries.size(), 2u);
  EXPECT_EQ(verify_plan(plan), std::vector<std::string>());
  EXPECT_LT(plan.temporaries[0].last, plan.temporaries[1].first);

  for (Temporary& temporary : plan.temporaries) temporary.arms.clear();

  EXPECT_THAT(verify_plan(plan), Contains(HasSubstr("temps t and u may share memory")));
}

TEST(ForkPlan, ATempFromOutsideLivesUntilTheArmsHaveEnded) {
  Plan plan = forked_plan(R"(inout x: f64[n], y: f64[n]
temp t: f64[n]
foreach i in 0..n { t[i] = x[n - 1 - i] }
fork {
  foreach i in 0..n { x[i] = t[n - 1 - i] }
} and {
  temp u: f64[n]
  foreach i in 0..n { u[i] = y[n - 1 - i] }
  foreach i in 0..n { y[i] = u[n - 1 - i] }
})");

  ASSERT_EQ(plan.temporaries.size(), 2u);
  EXPECT_TRUE(live_at_once(plan.temporaries[0], plan.temporaries[1]));
  EXPECT_EQ(verify_plan(plan), std::vector<std::string>());
}

TEST(ForkPlan, OnlyArmsWithLoopsBranchesStopsAndFaultsMayEndTheLaunch) {
  Plan plain = forked_plan(two_sweeps);
  Plan loops = forked_plan("out i: i32, j: i32\nfork { while i < 3 { i += 1 } } and { j = 1 }");
  Plan stops = forked_plan("out j: i32\nfork { stop \"now\" } and { j = 1 }");

  EXPECT_FALSE(may_end_launch(plain, fork_of(plain)));
  EXPECT_TRUE(may_end_launch(loops, fork_of(loops)));
  EXPECT_TRUE(may_end_launch(stops, fork_of(stops)));
}

TEST(ForkPlan, ALoopThatHoldsAForkIsNoKernelOfItsOwn) {
  const Plan plan = forked_plan(R"(out i: i32, a: i32, b: i32
while i < 3 {
  fork { a += 1 } and { while b < i { b += 1 } }
  i += 1
})");

  EXPECT_THAT(explain_residence(plan, shipped_cost_table()),
              testing::ElementsAre(
                  "p/while#0 cannot be one kernel: it holds a fork",
                  testing::StartsWith("p/while#0/fork#0/arm1/while#0 can be one kernel: ")));
}

}  // namespace
}  // namespace gyre::plan
