#include "gyre/runtime/executable.hpp"

#include "gyre/plan/print_plan.hpp"
#include "gyre/text/parser.hpp"
#include "halving.hpp"
#include "support/host_library.hpp"
#include "support/refusal.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::contains;
using support::refusal;

template <class R>
concept CanBind = requires(Executable& e, R&& memory) {
  e.bind("x", std::forward<R>(memory));
};

TEST(Executable, RunsAProgramOnBoundMemory) {
  auto executable = compile(halving());
  std::vector<double> x = {4, 0};
  executable.bind("x", x);

  const auto result = executable.run();

  EXPECT_TRUE(result.completed());
  EXPECT_EQ(x, (std::vector<double>{1, 0}));
  EXPECT_EQ(result.get<double>("square"), 1);
  EXPECT_EQ(result.trips("halving/while#0"), 2u);
  EXPECT_EQ(result.host_syncs(), 0u);
}

TEST(Executable, OnCpuALibraryChangesNothing) {
  const ir::Program program =
      text::parse_program("test.gyre",
                          "program p(n: size) {\n  in x: f32[n]\n  out y: f32[n]\n"
                          "  sort(i in 0..n) y = x[i]\n}\n");
  const auto library = std::make_shared<const ir::PrimitiveLibrary>(support::host_library());

  const auto with = compile(program, {.executor = "cpu", .library = library});
  const auto without = compile(program, {.executor = "cpu"});

  EXPECT_EQ(plan::print_plan(with.plan()), plan::print_plan(without.plan()));
}

TEST(Executable, ASecondLaunchKeepsNothingOfTheFirst) {
  auto executable = compile(halving());
  std::vector<double> x = {64};
  executable.bind("x", x);
  const auto first = executable.run();

  x[0] = 2;
  const auto second = executable.run();

  EXPECT_EQ(first.get<std::int32_t>("trips"), 6);
  EXPECT_EQ(second.get<std::int32_t>("trips"), 1);
  EXPECT_EQ(second.total_trips(), 1u);
}

// A walk that goes on where the last launch ended: its step stands in a buffer of the caller's.
TEST(Executable, DrawsGoOnFromLaunchToLaunchAndStartAnewWithTheStep) {
  Program p("walk");
  auto n = p.size("n");
  auto seed = p.in<std::int64_t>("seed", 1);
  auto draws = p.inout<std::int64_t>("draws", {1});
  auto drawn = p.out<double>("drawn", {3, n});
  p.for_(0, 3, [&](auto t) {
    p.foreach(0, n, [&](auto i) { drawn(t, i) = uniform(seed, draws[0], i); });
    draws[0] += 1;
  });
  auto executable = compile(p.finish());
  std::vector<std::int64_t> at = {0};
  std::vector<double> memory(12);
  executable.bind("draws", at);
  executable.bind("drawn", memory, {3, 4});
  const auto launch = [&] {
    executable.run();
    return memory;
  };

  const auto first = launch();
  const auto second = launch();
  at[0] = 0;
  const auto again = launch();
  executable.set("seed", 2);
  at[0] = 0;
  const auto of_another_seed = launch();

  EXPECT_EQ(at[0], 3);
  std::set<double> distinct(first.begin(), first.end());
  distinct.insert(second.begin(), second.end());
  distinct.insert(of_another_seed.begin(), of_another_seed.end());
  EXPECT_EQ(distinct.size(), 36u);
  EXPECT_EQ(again, first);
}

TEST(Executable, BindingAnewHoldsFromTheNextLaunchOn) {
  auto executable = compile(halving());
  std::vector<double> x = {2};
  std::array<double, 3> y = {4, 0, 0};
  executable.bind("x", x);
  executable.run();

  executable.bind("x", y);
  executable.set("stop", 4);
  const auto result = executable.run();

  EXPECT_EQ(x[0], 1);
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(result.get<std::int32_t>("trips"), 1);
}

TEST(Executable, ManyLaunchesGiveTheSameBits) {
  auto executable = compile(halving());
  std::vector<double> first(1000);
  for (int launch = 0; launch < 100; ++launch) {
    std::vector<double> x(1000);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / static_cast<double>(i + 1);
    executable.bind("x", x);
    executable.run();
    if (launch == 0) first = x;
    ASSERT_EQ(x, first) << "launch " << launch;
  }
}

TEST(Executable, WrongNamesAreAnsweredWithTheNearest) {
  auto executable = compile(halving());
  std::vector<double> x = {1};

  EXPECT_PRED2(contains, refusal([&] { executable.bind("xx", x); }), "did you mean 'x'?");
  EXPECT_PRED2(contains, refusal([&] { executable.bind("velocity", x); }), "; there is x");
  EXPECT_PRED2(contains, refusal([&] { executable.set("stpo", 1.0); }), "did you mean 'stop'?");
  EXPECT_PRED2(contains, refusal([&] { executable.set("x", 1.0); }), "with bind");
  EXPECT_PRED2(contains, refusal([&] { executable.set("n", 1); }), "with set_size");
  EXPECT_PRED2(contains, refusal([&] { executable.set("trips", 1); }), "no scalar 'trips'");
}

TEST(Executable, WrongMemoryIsRefusedByName) {
  auto executable = compile(halving());
  std::vector<float> narrow = {1};
  std::vector<double> x = {1, 2, 3, 4};
  const std::vector<double> constant = {1};

  EXPECT_PRED2(contains, refusal([&] { executable.bind("x", narrow); }), "'x' is of f64");
  EXPECT_PRED2(contains, refusal([&] { executable.bind("x", x, {2, 2}); }), "has rank 1");
  EXPECT_PRED2(contains, refusal([&] { executable.bind("x", x, {5}); }), "4 elements");
  EXPECT_PRED2(contains, refusal([&] { executable.bind("x", constant); }), "is written");
  EXPECT_PRED2(contains, refusal([&] { executable.run(); }), "'x' is not bound");
  EXPECT_FALSE(CanBind<std::vector<double>>);
  EXPECT_FALSE(CanBind<std::vector<bool>&>);
}

TEST(Executable, ANumberThatTheScalarCannotHoldIsRefused) {
  Program p("scalars");
  p.in<std::int32_t>("i");
  p.in<float>("f");
  p.in<bool>("b");
  auto executable = compile(p.finish());

  executable.set("i", 7L);
  executable.set("f", 0.5);
  executable.set("f", std::numeric_limits<double>::quiet_NaN());
  executable.set("f", 3);
  EXPECT_PRED2(contains, refusal([&] { executable.set("i", 1L << 40); }), "'i' is of i32");
  EXPECT_PRED2(contains, refusal([&] { executable.set("i", 1.0); }), "'i' is of i32");
  EXPECT_PRED2(contains, refusal([&] { executable.set("f", 0.1); }), "'f' is of f32");
  EXPECT_PRED2(contains, refusal([&] { executable.set("b", 1); }), "'b' is of bool");
  EXPECT_PRED2(contains, refusal([&] { executable.set("i", ~0ULL); }), "past an i64");
  EXPECT_PRED2(contains, refusal([&] { executable.run(); }), "'b' is not bound");
}

TEST(Executable, AWrongProgramIsRefusedWithEveryDiagnostic) {
  Program p("wrong");
  p.break_();
  p.continue_();

  try {
    (void)compile(p.finish());
    FAIL() << "it was compiled";
  } catch (const ProgramError& error) {
    EXPECT_EQ(error.diagnostics().error_count(), 2u);
  }
}

TEST(Executable, MaxTripsHoldsForLoopsWithoutALimit) {
  auto executable = compile(endless(), {.max_trips = 12});

  const auto result = executable.run();

  EXPECT_EQ(result.status(), Status::TripLimit);
  EXPECT_EQ(result.region(), "endless/while#0");
  EXPECT_EQ(result.total_trips(), 12u);
}

TEST(Executable, MovedAwayItIsRefused) {
  auto executable = compile(halving());
  const auto moved = std::move(executable);

  EXPECT_PRED2(contains, refusal([&] { executable.run(); }), "moved away");
}

TEST(Result, UnknownNamesAreAnsweredWithTheNearest) {
  auto executable = compile(halving());
  std::vector<double> x = {1};
  executable.bind("x", x);
  const auto result = executable.run();

  EXPECT_PRED2(contains, refusal([&] { (void)result.trips("halving/while#1"); }),
               "did you mean 'halving/while#0'?");
  EXPECT_PRED2(contains, refusal([&] { (void)result.get<double>("squre"); }),
               "did you mean 'square'?");
  EXPECT_PRED2(contains, refusal([&] { (void)result.trips("loop"); }),
               "; there is halving/while#0");
  EXPECT_PRED2(contains, refusal([&] { (void)result.get<float>("square"); }), "asked for as f32");
  EXPECT_EQ(result.get<std::int64_t>("trips"), 0);
  EXPECT_EQ(result.describe(), "completed");
}

TEST(MakeExecutor, AnUnknownExecutorIsAnsweredWithWhatThereIs) {
  const auto unknown = refusal([] { (void)compile(halving(), {.executor = "gpu"}); });
  const auto absent = refusal([] { (void)compile(halving(), {.executor = "device_graph"}); });

  EXPECT_PRED2(contains, unknown, "only auto, persistent, device_graph, host_branch, cpu");
  EXPECT_PRED2(contains, unknown, "this machine has: ");
  EXPECT_EQ(compile(halving(), {.executor = "cpu"}).executor(), "cpu");
  EXPECT_PRED2(contains, absent, "'device_graph' is not available");
}

TEST(MakeExecutor, TheEnvironmentChoosesForAutoOnly) {
  setenv("GYRE_EXECUTOR", "nothing", 1);
  const auto asked = refusal([] { (void)compile(halving()); });
  const auto chosen = compile(halving(), {.executor = "cpu"});
  unsetenv("GYRE_EXECUTOR");

  EXPECT_PRED2(contains, asked, "as GYRE_EXECUTOR asks");
  EXPECT_EQ(chosen.executor(), "cpu");
}

}  // namespace
}  // namespace gyre
