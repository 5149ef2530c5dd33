/// The steps of a module: who decides what follows, by which guard or node.
#include "emitted.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

TEST(LaySteps, TheLastKernelOfALineDecidesWhatFollows) {
  const plan::Plan plan = plan_of_text(R"(program p() {
  out n: i32
  while n < 3 {
    n += 1
  }
})");

  const EmittedModule module = emit_module(plan, {});

  // One more ends the launch; the first begins it.
  EXPECT_EQ(module.kernels.size(), plan.kernels.size() + 1);
  EXPECT_TRUE(module.kernels.front().begins);
  EXPECT_NE(module.source.find("gyre::enter_loop"), std::string::npos);
  EXPECT_NE(module.source.find("gyre::decide_trip"), std::string::npos);
}

constexpr const char* two_loops = R"(program p(n: size) {
  inout x: f64[n]
  in k: i32
  while x[0] < 9.0 {
    for i in 0..k {
      foreach j in 0..n { x[j] += 1.0 }
    }
  }
})";

TEST(LaySteps, TheHostIsToldOfTheBranchesThatItDecides) {
  const plan::Plan plan = plan_of_text(two_loops);

  const std::string device = emit_module(plan, {}).source;
  const std::string host = emit_module(plan, {.decisions = Decisions::Host}).source;
  const std::string outer = emit_module(plan, {.host_decides = {true, false}}).source;

  EXPECT_EQ(device.find("tell_host(decision"), std::string::npos);
  EXPECT_EQ(host.find("set_loop(decision"), std::string::npos);
  EXPECT_NE(outer.find("tell_host(decision0"), std::string::npos);
  EXPECT_NE(outer.find("set_loop(decision1"), std::string::npos);
}

// A loop, arms, and a loop that nothing follows: which kernels look whether the launch is over.
TEST(LaySteps, KernelsInLineBehindALoopLookWhetherItEndedTheLaunch) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  inout x: f64[n]
  in k: i32
  foreach j in 0..n { x[j] += 1.0 }
  while x[0] < 9.0 {
    foreach j in 0..n { x[j] += 2.0 }
  }
  foreach j in 0..n { x[j] += x[i64(x[0])] }
  fork {
    foreach j in 0..n { x[j] += 3.0 }
  }
  if k > 0 {
    while x[0] < 99.0 {
      foreach j in 0..n { x[j] += 4.0 }
    }
  }
})");

  const EmittedModule module = emit_module(plan, {});

  std::vector<std::string> looking;
  for (const EmittedKernel& kernel : module.kernels) {
    if (kernel.text.find("gyre::is_over(") != std::string::npos) looking.push_back(kernel.region);
  }
  EXPECT_EQ(looking,
            (std::vector<std::string>{"p/foreach#1", "p/fork#0/arm0/foreach#0", "p/if#0"}));
}

// Else blocks of it that start late would leave out the last trip's share.
TEST(LaySteps, AKernelThatDecidesALoopIsNotOverByThatLoop) {
  const plan::Plan plan = plan_of_text(two_loops);

  const EmittedModule module = emit_module(plan, {});

  const auto decides = std::find_if(
      module.kernels.begin(), module.kernels.end(),
      [](const auto& one) { return one.text.find("gyre::is_over(") != std::string::npos; });
  ASSERT_NE(decides, module.kernels.end());
  EXPECT_EQ(decides->region, "p/while#0");
  EXPECT_NE(decides->text.find("gyre::is_over(state, 0u)"), std::string::npos) << decides->text;
}

using Guards = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// The guard that each step runs under, and the one that it sets for the next.
Guards guards_of(const std::vector<Step>& steps) {
  Guards guards;
  for (const Step& step : steps) guards.emplace_back(step.guard, step.next_guard);
  return guards;
}

const std::vector<Step>& body_of(const Step& loop) {
  return loop.blocks.at(0);
}

TEST(LaySteps, CopiesOfATripHandAGuardOnAndTheLastOneDecidesForTheNode) {
  const plan::Plan plan = plan_of_text(R"(program p() {
  inout s: i32
  while s < 9 { s += 1 }
})");

  const EmittedModule module = emit_module(plan, {.choices = {{false}, {3}}});

  const std::uint32_t odd = module.layout.copy_guard(0, 1);
  const std::uint32_t even = module.layout.copy_guard(0, 2);
  const Step& loop = module.steps.at(module.steps.size() - 2);
  EXPECT_EQ(guards_of(body_of(loop)), (Guards{{0, odd}, {odd, even}, {even, 0}}));
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, {.choices = {{false}, {3}}}));
}

TEST(LaySteps, CopiesAheadOfALoopsNodeHandAGuardOnAndTheLastOneTellsTheNode) {
  const plan::Plan plan = plan_of_text(R"(program p() {
  inout s: i32
  while s < 9 { s += 1 }
})");
  const EmitOptions options{.choices = {.predicated = {false}, .copies = {1}, .ahead = {2}}};

  const EmittedModule module = emit_module(plan, options);

  const std::uint32_t even = module.layout.copy_guard(0, 0);
  const std::uint32_t odd = module.layout.copy_guard(0, 1);
  // The kernel before the loop, two copies, the node, the end.
  EXPECT_EQ(guards_of(module.steps), (Guards{{0, 0}, {even, odd}, {odd, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(guards_of(body_of(module.steps.at(3))), (Guards{{0, 0}}));
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, options));
}

TEST(LaySteps, ArmsThatArePredicatedStandSideBySideUnderGuards) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  inout x: f64[n]
  in c: bool
  if c {
    foreach i in 0..n { x[i] += 1.0 }
  } else {
    foreach i in 0..n { x[i] -= 1.0 }
  }
})");

  const EmittedModule module = emit_module(plan, {.choices = {{true}, {1}}});

  const std::uint32_t then = module.layout.arm_guard(0, 0);
  const std::uint32_t otherwise = module.layout.arm_guard(0, 1);
  ASSERT_EQ(module.steps.size(), 3u);
  EXPECT_TRUE(module.steps[1].side_by_side);
  EXPECT_EQ(guards_of(module.steps[1].blocks.at(0)), (Guards{{then, 0}}));
  EXPECT_EQ(guards_of(module.steps[1].blocks.at(1)), (Guards{{otherwise, 0}}));
  EXPECT_EQ(module.source.find("set_switch(decision"), std::string::npos);
  EXPECT_NE(module.source.find("set_arm_guards(state"), std::string::npos);
}

TEST(LaySteps, ABranchThatNothingFollowsEndsTheLaunchInEachOfItsArms) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  inout x: f64[n]
  in c: bool
  if c {
    foreach i in 0..n { x[i] += 1.0 }
  }
})");

  const EmittedModule module = emit_module(plan, {});

  const Step& branch = module.steps.back();
  ASSERT_TRUE(branch.ends);
  ASSERT_EQ(branch.blocks.size(), 3u);
  for (const auto& block : branch.blocks) {
    EXPECT_EQ(module.kernels[block.back().kernel.value()].name, "gyre_end");
  }
  EXPECT_NE(module.source.find("set_switch(decision0"), std::string::npos);
}

TEST(BranchForm, FollowsWhichArmsHaveWork) {
  const auto form = [](const std::string& branch) {
    const plan::Plan plan = plan_of_text(
        "program p(n: size) {\n  in c: bool, k: i32\n  out y: f64[n]\n  " + branch + "\n}");
    return branch_form(plan.body.nodes.back());
  };
  const std::string work = "{\n foreach i in 0..n {\n y[i] = 1.0\n }\n }";

  EXPECT_EQ(form("if c {\n }"), BranchForm::None);
  EXPECT_EQ(form("if c " + work), BranchForm::If);
  EXPECT_EQ(form("if c " + work + " else " + work), BranchForm::Arms);
  EXPECT_EQ(form("switch k {\n case 1 " + work + "\n }"), BranchForm::Arms);
}

}  // namespace
}  // namespace gyre::jit
