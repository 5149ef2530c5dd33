/// What kernels look at before they use it: indices, steps, and the promises of sweeps.
#include "emitted.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

TEST(EmitChecks, AKernelWithChecksKnowsWhereItStands) {
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

TEST(EmitChecks, CheckedModeWatchesWhatASweepUnderAPromiseStoresTo) {
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
  EXPECT_TRUE(compiles(plan, {true}));
}

TEST(EmitChecks, OnlyAStepThatIsNoLiteralIsLookedAt) {
  const auto source_with_step = [](const std::string& step) {
    const std::string sweep = "  foreach i in 0..n step " + step + " {\n    for k in 0..n step " +
                              step + " {\n      y[i] = 1.0\n    }\n  }\n";
    const plan::Plan plan =
        plan_of_text("program p(n: size) {\n  in s: i64\n  out y: f64[n]\n" + sweep + "}");
    return emit_module(plan, {}).source;
  };

  EXPECT_EQ(source_with_step("2").find("checked_range"), std::string::npos);
  EXPECT_NE(source_with_step("s").find("range0 = gyre::checked_range"), std::string::npos);
}

TEST(EmitChecks, AFoldWhoseStepMayBeZeroMakesItsKernelACheckedOne) {
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
  EXPECT_TRUE(compiles(plan, {}));
}

}  // namespace
}  // namespace gyre::jit
