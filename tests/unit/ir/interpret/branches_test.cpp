// What arms, cases, guards and stops mean.
#include "support/text_run.hpp"

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

using support::run_text;
using support::scalar;
using Counts = std::vector<std::uint64_t>;

TEST(Interpret, NothingRunsAfterAStop) {
  const auto run = run_text(R"(
    out k: i32
    while true {
      k += 1
      if k == 3 { stop "enough", k * 7 }
    }
    k = 100)");

  EXPECT_EQ(run.outcome.status, Status::Stopped);
  EXPECT_EQ(run.outcome.label, "enough");
  EXPECT_EQ(run.outcome.code, 21);
  EXPECT_EQ(scalar<std::int32_t>(run, "k"), 3);
}

TEST(Interpret, ArmsAreCountedAsTheyRun) {
  const auto run = run_text(R"(
    out a: i32
    for i in 0..5 { if i < 2 { a += 1 } else { a += 10 } }
    if false { a = 0 })");

  EXPECT_EQ(scalar<std::int32_t>(run, "a"), 32);
  EXPECT_EQ(run.outcome.arms.at("p/for#0/if#0"), (Counts{2, 3}));
  EXPECT_EQ(run.outcome.arms.at("p/if#0"), (Counts{0, 1}));
}

TEST(Interpret, ARegionThatNeverRunsCountsZeros) {
  const auto run = run_text("if false { while true { }; switch 1 { case 1 { } } }");

  EXPECT_EQ(run.outcome.trips.at("p/if#0/then/while#0"), 0u);
  EXPECT_EQ(run.outcome.arms.at("p/if#0/then/switch#0"), (Counts{0, 0}));
}

TEST(Interpret, ASwitchTakesTheCaseThatHoldsElseDefaultElseNothing) {
  const auto run = run_text(R"(
    out a: i64, b: i64
    for i in -1..6 {
      switch i {
        case 0 { a += 1 }
        case 1..3, 4 { a += 10 }
        default { a += 100 }
      }
      switch i { case 3 { b += 1 } }
    }
    switch 4294967296 { case 0 { a = 0 } })");

  EXPECT_EQ(scalar<std::int64_t>(run, "a"), 331);
  EXPECT_EQ(scalar<std::int64_t>(run, "b"), 1);
  EXPECT_EQ(run.outcome.arms.at("p/for#0/switch#0"), (Counts{1, 3, 3}));
  EXPECT_EQ(run.outcome.arms.at("p/for#0/switch#1"), (Counts{1, 6}));
}

TEST(Interpret, AGuardKeepsADivisionAndAnIndexFromBeingEvaluated) {
  const auto run = run_text(R"(
    in x: f64[n]
    out a: f64, b: bool, c: f64
    b = n > 0 && x[0] > 1.0
    a = select(n > 0, x[0], 5.0)
    if n > 0 { c = x[0] })",
                            support::OwnedArguments().with("x", std::vector<double>{}));

  EXPECT_EQ(run.outcome.status, Status::Completed);
  EXPECT_EQ(scalar<double>(run, "a"), 5.0);
}

}  // namespace
}  // namespace gyre::ir
