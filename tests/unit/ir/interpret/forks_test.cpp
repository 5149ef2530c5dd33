// What a fork means: every arm to its end, and the first ending in the text.
#include "support/text_run.hpp"

#include <atomic>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

using support::run_text;
using support::scalar;

TEST(Fork, RunsEveryArm) {
  const auto run =
      run_text("out a: i32, b: i32, c: i32\nfork { a = 1 } and { b = 2 } and { c = 3 }");

  EXPECT_EQ(scalar<std::int32_t>(run, "a"), 1);
  EXPECT_EQ(scalar<std::int32_t>(run, "b"), 2);
  EXPECT_EQ(scalar<std::int32_t>(run, "c"), 3);
}

TEST(Fork, OtherArmsFinishBehindOneThatStops) {
  const auto run = run_text(
      "out a: i32, b: i32, c: i32\n"
      "fork { stop \"first\", 4\na = 1 } and { while b < 3 { b += 1 } } and { stop \"third\" }\nc "
      "= 1");

  EXPECT_EQ(run.outcome.status, Status::Stopped);
  EXPECT_EQ(run.outcome.label, "first");
  EXPECT_EQ(run.outcome.code, 4);
  EXPECT_EQ(scalar<std::int32_t>(run, "a"), 0);
  EXPECT_EQ(scalar<std::int32_t>(run, "b"), 3);
  EXPECT_EQ(scalar<std::int32_t>(run, "c"), 0);
  EXPECT_EQ(run.outcome.trips.at("p/fork#0/arm1/while#0"), 3u);
}

// A fault within a fold leaves nothing behind that the next arm would see.
TEST(Fork, AFaultInAFoldLeavesTheNextArmAsItIs) {
  const auto run = run_text(
      "out a: f64, b: f64\ntemp x: f64[n]\n"
      "fork { a = sum(i in 0..n + 1) x[i] } and { b = sum(i in 0..n) (1 + x[i]) }");

  EXPECT_EQ(run.outcome.status, Status::Fault);
  EXPECT_EQ(run.outcome.region, "p/fork#0");
  EXPECT_EQ(scalar<double>(run, "b"), 8);
}

TEST(Fork, ACancelledLoopIsToldOfTheFirstArmThatMeetsIt) {
  const std::atomic<bool> cancel = true;

  const auto run = run_text(
      "out a: i32, b: i32\nfork { a = 1 } and { while b < 3 { b += 1 } } and { stop \"late\" }", {},
      {.cancel = &cancel});

  EXPECT_EQ(run.outcome.status, Status::Cancelled);
  EXPECT_EQ(scalar<std::int32_t>(run, "a"), 1);
  EXPECT_EQ(scalar<std::int32_t>(run, "b"), 0);
}

}  // namespace
}  // namespace gyre::ir
