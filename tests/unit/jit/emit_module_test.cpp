#include "gyre/jit/emit_module.hpp"

#include "gyre/jit/compile.hpp"
#include "gyre/jit/nvrtc.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"
#include "support/programs.hpp"
#include "support/random_program.hpp"
#include "support/words.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

plan::Plan plan_of(const ir::Program& program) {
  return plan::make_plan(passes::run_passes(program));
}

plan::Plan plan_of_text(const std::string& text) {
  return plan_of(text::parse_program("test.gyre", text));
}

bool compiles(const plan::Plan& plan, const EmitOptions& options, const char* architecture) {
  const EmittedModule module = emit_module(plan, options);
  return !compile_cubin({module.source, plan.name, architecture}).bytes.empty();
}

class EmittedKernels : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
    if (std::string(GetParam()) == "sm_100" && nvrtc()->version < 12080) {
      GTEST_SKIP() << "NVRTC knows sm_100 from CUDA 12.8 on";
    }
  }
};

TEST_P(EmittedKernels, OfTheSampleProgramsCompile) {
  for (const auto& path : support::sample_programs()) {
    EXPECT_TRUE(compiles(plan_of_text(support::read_file(path)), {}, GetParam())) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, EmittedKernels, testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& architecture) { return std::string(architecture.param); });

TEST(EmitModule, EveryFormOfAProgramCompiles) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  const plan::Plan plan =
      plan_of_text(support::read_file(support::in_repository("samples/programs/dispatch.gyre")));
  for (const bool checked : {false, true}) {
    for (const auto decisions :
         {Decisions::ConditionalNodes, Decisions::IfNodesOnly, Decisions::Host}) {
      EXPECT_TRUE(compiles(plan, {checked, decisions}, "sm_90"));
    }
  }
}

TEST(EmitModule, RandomProgramsCompile) {
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    const plan::Plan plan = plan_of(support::random_program(seed).program);

    EXPECT_TRUE(compiles(plan, {seed % 2 == 0}, "sm_90")) << "seed " << seed;
  }
}

TEST(EmitModule, TheLastKernelOfALineDecidesWhatFollows) {
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

TEST(EmitModule, EachFoldOfAKernelHasASiteOfItsOwn) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  in x: f64[n]
  out norm: f64
  let s = sum(i in 0..n) x[i]
  norm = sum(i in 0..n) (x[i] - s) * (x[i] - s)
})");

  const std::string source = emit_module(plan, {}).source;

  EXPECT_NE(source.find("double s = gyre::finish<gyre::Sum<double>, 0>"), std::string::npos);
  EXPECT_NE(source.find("gyre::leave_partial<1>"), std::string::npos);
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

TEST(EmitModule, TheHostIsToldOfTheBranchesThatItDecides) {
  const plan::Plan plan = plan_of_text(two_loops);

  const std::string device = emit_module(plan, {}).source;
  const std::string host = emit_module(plan, {.decisions = Decisions::Host}).source;
  const std::string outer = emit_module(plan, {.host_decides = {true, false}}).source;

  EXPECT_EQ(device.find("tell_host(decision"), std::string::npos);
  EXPECT_EQ(host.find("set_loop(decision"), std::string::npos);
  EXPECT_NE(outer.find("tell_host(decision0"), std::string::npos);
  EXPECT_NE(outer.find("set_loop(decision1"), std::string::npos);
}

// By the steps' guards, copy by copy.
std::vector<std::pair<std::uint32_t, std::uint32_t>> guards_of(const std::vector<Step>& steps) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> guards;
  for (const Step& step : steps) guards.emplace_back(step.guard, step.next_guard);
  return guards;
}

const std::vector<Step>& body_of(const Step& loop) {
  return loop.blocks.at(0);
}

TEST(EmitModule, CopiesOfATripHandAGuardOnAndTheLastOneDecidesForTheNode) {
  const plan::Plan plan = plan_of_text(R"(program p() {
  inout s: i32
  while s < 9 { s += 1 }
})");

  const EmittedModule module = emit_module(plan, {.choices = {{false}, {3}}});

  const std::uint32_t odd = module.layout.copy_guard(0, 1);
  const std::uint32_t even = module.layout.copy_guard(0, 2);
  const Step& loop = module.steps.at(module.steps.size() - 2);
  EXPECT_EQ(guards_of(body_of(loop)), (std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                                          {0, odd}, {odd, even}, {even, 0}}));
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, {.choices = {{false}, {3}}}, "sm_90"));
}

TEST(EmitModule, CopiesAheadOfALoopsNodeHandAGuardOnAndTheLastOneTellsTheNode) {
  const plan::Plan plan = plan_of_text(R"(program p() {
  inout s: i32
  while s < 9 { s += 1 }
})");
  const EmitOptions options{.choices = {.predicated = {false}, .copies = {1}, .ahead = {2}}};

  const EmittedModule module = emit_module(plan, options);

  const std::uint32_t even = module.layout.copy_guard(0, 0);
  const std::uint32_t odd = module.layout.copy_guard(0, 1);
  using Guards = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  // The kernel before the loop, two copies, the node, the end.
  EXPECT_EQ(guards_of(module.steps), (Guards{{0, 0}, {even, odd}, {odd, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(guards_of(body_of(module.steps.at(3))), (Guards{{0, 0}}));
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, options, "sm_90"));
}

TEST(EmitModule, ArmsThatArePredicatedStandSideBySideUnderGuards) {
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
  using Guards = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  EXPECT_EQ(guards_of(module.steps[1].blocks.at(0)), (Guards{{then, 0}}));
  EXPECT_EQ(guards_of(module.steps[1].blocks.at(1)), (Guards{{otherwise, 0}}));
  EXPECT_EQ(module.source.find("set_switch(decision"), std::string::npos);
  EXPECT_NE(module.source.find("set_arm_guards(state"), std::string::npos);
}

TEST(EmitModule, ABranchThatNothingFollowsEndsTheLaunchInEachOfItsArms) {
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

std::string with_cases(const std::string& cases) {
  const std::string text =
      "program p(n: size) {\n  inout x: f64[n]\n  in k: i32\n  switch k {\n" + cases + "  }\n}";
  return emit_module(plan_of_text(text), {}).source;
}

TEST(EmitModule, LabelsThatRunOnAreConstants) {
  const std::string source = with_cases(
      "case 3 { x[0] = 1.0 }\n case 4 { x[0] = 2.0 }\n case 5 { x[0] = 3.0 }\n"
      "case 7..9, 9..12 { x[0] = 4.0 }\n");

  EXPECT_EQ(source.find("labels0"), std::string::npos);
  EXPECT_NE(source.find("gyre::LabelRun{3LL, 6LL, 0, true}, gyre::LabelRun{7LL, 12LL, 3, false})"),
            std::string::npos)
      << source;
}

TEST(EmitModule, ManyScatteredLabelsAreSearchedInATable) {
  std::string cases;
  for (int i = 0; i < 9; ++i) {
    cases += "case " + std::to_string(10 * i) + " { x[0] = 1.0 }\n";
  }

  EXPECT_NE(with_cases(cases).find("gyre::find_case(labels0, 9, "), std::string::npos);
}

TEST(EmitModule, ALaunchThatIsToldNothingAsksNothing) {
  const auto asks = [](const std::string& text) {
    return emit_module(plan_of_text(text), {}).takes_request;
  };

  EXPECT_FALSE(asks("program p(n: size) {\n  inout x: f64[n]\n  x[0] = 1.0\n}"));
  EXPECT_TRUE(asks("program p(n: size) {\n  inout x: f64[n]\n  in a: f64\n  x[0] = a\n}"));
  EXPECT_TRUE(
      asks("program p(n: size) {\n  inout x: f64[n]\n  while x[0] < 1.0 { x[0] = 1.0 }\n}"));
  EXPECT_FALSE(asks(
      "program p(n: size) {\n  inout x: f64[n]\n  while x[0] < 1.0 limit 9 { x[0] = 1.0 }\n}"));
}

TEST(EmitModule, ASymbolNeverTakesTheNameOfAnEmittedVariable) {
  const plan::Plan plan = plan_of_text(R"(program p(begin0: size) {
  out value: f64[begin0], float: f64[begin0]
  let point = 1.5
  foreach extent0 in 0..begin0 {
    value[extent0] = point
    float[extent0] = point
  }
})");

  const EmittedModule module = emit_module(plan, {true});

  EXPECT_EQ(module.source.find("double point "), std::string::npos);
  EXPECT_NE(module.source.find("float_2"), std::string::npos);
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, {true}, "sm_90"));
}

TEST(EmitModule, AKernelWithChecksKnowsWhereItStands) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  out y: f64[n]
  in x: f64[n]
  foreach i in 0..n {
    y[i] = x[i + 1]
  }
})");

  const std::string checked = emit_module(plan, {true}).source;
  const std::string unchecked = emit_module(plan, {false}).source;

  // The value is loaded by access 0, and stored by access 1.
  EXPECT_NE(checked.find("y_view.store(here, 1, {i}, x_view.load(here, 0, "), std::string::npos)
      << checked;
  EXPECT_EQ(unchecked.find("here"), std::string::npos) << unchecked;
}

TEST(EmitModule, CheckedModeWatchesWhatASweepUnderAPromiseStoresTo) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  in at: i32[n], y: f64[n]
  inout x: f64[n], hits: i32[n]
  foreach i in 0..n independent { scatter x[at[i]] = x[i] + y[i] }
  foreach i in 0..n { scatter hits[at[i]] += 1 }
})");

  const EmittedModule checked = emit_module(plan, {true});
  const EmittedModule unchecked = emit_module(plan, {false});

  EXPECT_EQ(checked.watched.size(), 1u);
  EXPECT_NE(checked.source.find("const gyre::Watched<double, 1> x_view{{x, "), std::string::npos)
      << checked.source;
  EXPECT_NE(checked.source.find("x_view.end_sweep();"), std::string::npos);
  EXPECT_EQ(checked.source.find("y_shadow"), std::string::npos);
  EXPECT_EQ(checked.source.find("hits_shadow"), std::string::npos);
  EXPECT_TRUE(unchecked.watched.empty());
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, {true}, "sm_90"));
}

TEST(EmitModule, OnlyATracedProgramLogsItsTrips) {
  const plan::Plan plan =
      plan_of_text(support::read_file(support::in_repository("samples/programs/cg.gyre")));

  const EmittedModule traced = emit_module(plan, {.traced = true});
  const EmittedModule other = emit_module(plan, {});

  // Where the loop is entered and behind a trip.
  EXPECT_EQ(support::count_of(traced.source, "gyre::trace_trip("), 2u);
  EXPECT_EQ(support::count_of(other.source, "gyre::trace_trip("), 0u);
  EXPECT_NE(traced.layout.trace(), 0u);
  EXPECT_EQ(other.layout.trace(), 0u);
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, {.traced = true}, "sm_90"));
}

TEST(EmitModule, TheNextKernelStartsBehindASweepAndBesideScalarWork) {
  const std::string source = emit_module(plan_of_text(R"(program p(n: size) {
  out x: f64[n], total: f64
  foreach i in 0..n { x[i] = 2.0 }
  total = sum(i in 0..n) x[i]
  total = total + 1.0
})"),
                                         {})
                                 .source;

  const std::size_t sweep = source.find("x[i] = 2.0");
  const std::size_t next = source.find("gyre::let_next_start();", sweep);
  EXPECT_LT(next, source.find("gyre::leave_partial", sweep)) << source;
  EXPECT_NE(source.find("gyre::follow();\n  gyre::let_next_start();\n"), std::string::npos)
      << source;
}

TEST(EmitModule, WhatOnlyTheEndOfASweepNeedsIsBroughtToSharedMemory) {
  const plan::Plan plan =
      plan::make_plan(passes::run_passes(text::parse_program("test.gyre", R"(program p(n: size) {
  inout x: f64[n]
  in most: i32
  out trips: i32
  while trips < most {
    foreach i in 0..n { x[i] = x[i] * 0.5 }
    trips += 1
  }
})")),
                      plan::all_steps);

  const std::string source = emit_module(plan, {}).source;

  const std::size_t begins = source.find("late.begin(state);");
  const std::size_t sweeps = source.find("x[i] * 0.5", begins);
  const std::size_t waits = source.find("late.wait();", sweeps);
  EXPECT_LT(waits, source.find("int most = late.cell<int>(", sweeps)) << source;
  EXPECT_LT(waits, source.find("gyre::decide_trip(", sweeps)) << source;
  EXPECT_NE(waits, std::string::npos) << source;
}

TEST(EmitModule, DocumentedKernelsAreAsTheyAreEmitted) {
  const std::string page = support::read_file(support::in_repository("docs/kernels.md"));
  const std::size_t begin = page.find("```cpp\n") + 7;
  const std::string documented = page.substr(begin, page.find("```", begin) - begin);

  const plan::Plan plan = plan::make_plan(passes::run_passes(support::parse_ok(support::read_file(
                                              support::in_repository("samples/programs/cg.gyre")))),
                                          plan::all_steps);
  const plan::Choices choices = plan::make_choices(plan, plan::shipped_cost_table());
  const std::string source = emit_module(plan, {.choices = choices}).source;

  EXPECT_NE(source.find(documented), std::string::npos) << source;
}

TEST(EmitModule, OnlyAStepThatIsNoLiteralIsLookedAt) {
  const auto source_with_step = [](const std::string& step) {
    return emit_module(plan_of_text("program p(n: size) {\n  in s: i64\n  out y: f64[n]\n"
                                    "  foreach i in 0..n step " +
                                    step + " {\n    for k in 0..n step " + step +
                                    " {\n      y[i] = 1.0\n    }\n  }\n}"),
                       {})
        .source;
  };

  EXPECT_EQ(source_with_step("2").find("checked_range"), std::string::npos);
  EXPECT_NE(source_with_step("s").find("range0 = gyre::checked_range"), std::string::npos);
}

TEST(EmitModule, AFoldWhoseStepMayBeZeroMakesItsKernelACheckedOne) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  in s: i64, x: f64[n]
  out y: f64[n]
  foreach i in 0..n {
    y[i] = x[sum(k in 0..3 step s) k]
  }
})");

  const std::string source = emit_module(plan, {}).source;

  EXPECT_NE(source.find("gyre::checked_range(here, 0, 0, 3, s)"), std::string::npos) << source;
  EXPECT_NE(source.find("x_view.load(here, 1, "), std::string::npos) << source;
  if (nvrtc() == nullptr) GTEST_SKIP() << why_no_nvrtc();
  EXPECT_TRUE(compiles(plan, {}, "sm_90"));
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
