#include "gyre/plan/host_decisions.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/print_plan.hpp"
#include "gyre/text/parser.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

Plan plan_with_calls(const std::string& text) {
  auto print = std::make_shared<ir::Callee>();
  print->name = "print";
  print->accesses = {ir::Access::Read};
  print->placement = ir::Placement::Host;
  auto scale = std::make_shared<ir::Callee>(*print);
  scale->name = "scale";
  scale->placement = ir::Placement::Stream;
  return make_plan(passes::run_passes(
      text::parse_program("test.gyre", text, {{"print", print}, {"scale", scale}})));
}

TEST(HostDecisions, AreThoseAroundACallOfTheHost) {
  const Plan plan = plan_with_calls(R"(program p(n: size) {
  in x: f64[n], k: i32
  var i: i32
  while i < k {
    if i == 3 { call print(x) }
    while i < 2 { i += 1 }
    i += 1
  }
  if k > 2 { call scale(x) }
})");

  EXPECT_EQ(host_decisions(plan), (std::vector<bool>{true, true, false, false}));
  ASSERT_EQ(host_calls(plan).size(), 1u);
  EXPECT_EQ(
      explain_host_decisions(plan),
      (std::vector<std::string>{"call 'print' in p/while#0/if#0/then/call#0 runs on the host, "
                                "between graphs; the host decides p/while#0, p/while#0/if#0"}));
}

TEST(HostDecisions, AreToldBelowAPrintedPlan) {
  const std::string printed = print_plan(plan_with_calls(R"(program p(n: size) {
  in x: f64[n]
  for i in 0..3 { call print(x) }
})"));

  EXPECT_NE(printed.find("call print(x)  # p/for#0/call#0, on the host"), std::string::npos);
  EXPECT_TRUE(
      printed.ends_with("call 'print' in p/for#0/call#0 runs on the host, between graphs; "
                        "the host decides p/for#0\n"))
      << printed;
}

TEST(HostDecisions, AreNoneWithoutSuchACall) {
  const Plan plan = plan_with_calls(R"(program p(n: size) {
  in x: f64[n], k: i32
  if k > 2 { call scale(x) }
})");

  EXPECT_EQ(host_decisions(plan), std::vector<bool>{false});
  EXPECT_TRUE(explain_host_decisions(plan).empty());
}

TEST(HostDecisions, LeaveACallOutsideOfEveryBranchAlone) {
  const Plan plan = plan_with_calls(R"(program p(n: size) {
  in x: f64[n]
  call print(x)
})");

  EXPECT_EQ(
      explain_host_decisions(plan),
      (std::vector<std::string>{"call 'print' in p/call#0 runs on the host, between graphs"}));
}

}  // namespace
}  // namespace gyre::plan
