#include "gyre/jit/emit_module.hpp"

#include "emitted.hpp"
#include "support/programs.hpp"
#include "support/words.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

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
  EXPECT_TRUE(compiles(plan, {true}));
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
  EXPECT_TRUE(compiles(plan, {.traced = true}));
}

TEST(EmitModule, TheNextKernelStartsBehindASweepAndBesideScalarWork) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  out x: f64[n], total: f64
  foreach i in 0..n { x[i] = 2.0 }
  total = sum(i in 0..n) x[i]
  total = total + 1.0
})");

  const std::string source = emit_module(plan, {}).source;

  const std::size_t sweep = source.find("x[i] = 2.0");
  const std::size_t next = source.find("gyre::let_next_start();", sweep);
  EXPECT_LT(next, source.find("gyre::leave_partial", sweep)) << source;
  EXPECT_NE(source.find("gyre::follow();\n  gyre::let_next_start();\n"), std::string::npos)
      << source;
}

TEST(EmitModule, WhatOnlyTheEndOfASweepNeedsIsBroughtToSharedMemory) {
  const plan::Plan plan = plan_of_text(R"(program p(n: size) {
  inout x: f64[n]
  in most: i32
  out trips: i32
  while trips < most {
    foreach i in 0..n { x[i] = x[i] * 0.5 }
    trips += 1
  }
})",
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

  const plan::Plan plan = plan_of_text(
      support::read_file(support::in_repository("samples/programs/cg.gyre")), plan::all_steps);
  const plan::Choices choices = plan::make_choices(plan, plan::shipped_cost_table());
  const std::string source = emit_module(plan, {.choices = choices}).source;

  EXPECT_NE(source.find(documented), std::string::npos) << source;
}

}  // namespace
}  // namespace gyre::jit
