// What loops and jumps mean.
#include "support/text_run.hpp"

#include <atomic>

#include <gtest/gtest.h>

namespace gyre::ir {
namespace {

using support::run_text;
using support::scalar;

TEST(Interpret, AWhileWhoseConditionFailsRunsNoTrip) {
  const auto run = run_text("out k: i32 = 5\nwhile k < 0 { k += 1 }");

  EXPECT_EQ(scalar<std::int32_t>(run, "k"), 5);
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), 0u);
}

TEST(Interpret, ADoRunsOnceBeforeItsTest) {
  const auto run = run_text("out k: i32\ndo { k += 1 } while false");

  EXPECT_EQ(scalar<std::int32_t>(run, "k"), 1);
  EXPECT_EQ(run.outcome.trips.at("p/do#0"), 1u);
}

TEST(Interpret, AnInnerLoopRunsAnewInEachOuterTrip) {
  const auto run = run_text(R"(
    out total: i32
    for i in 0..3 {
      var k: i32
      while k < 2 { k += 1; total += 1 }
    })");

  EXPECT_EQ(scalar<std::int32_t>(run, "total"), 6);
  EXPECT_EQ(run.outcome.trips.at("p/for#0"), 3u);
  EXPECT_EQ(run.outcome.trips.at("p/for#0/while#0"), 6u);
}

TEST(Interpret, AZeroTripLoopInsideALoopLeavesItsValues) {
  const auto run = run_text(R"(
    out a: i32 = 7
    for i in 0..2 { while a < 0 { a = 1 } })");

  EXPECT_EQ(scalar<std::int32_t>(run, "a"), 7);
  EXPECT_EQ(run.outcome.trips.at("p/for#0/while#0"), 0u);
}

TEST(Interpret, ALoopWhosePredicateIsNanEnds) {
  const auto run = run_text("in r: f64\nout k: i32\nwhile r > 0.5 { k += 1 }",
                            support::OwnedArguments().with("r", Value(std::nan(""))));

  EXPECT_EQ(run.outcome.status, Status::Completed);
  EXPECT_EQ(scalar<std::int32_t>(run, "k"), 0);
}

TEST(Interpret, AForCountsUpDownAndInSteps) {
  const auto run = run_text(R"(
    out up: i32, down: i32, steps: i32, none: i32
    for i in 2..5 { up = up * 10 + i }
    for i in 5..2 step -1 { down = down * 10 + i }
    for i in 0..7 step 3 { steps = steps * 10 + i + 1 }
    for i in 5..3 { none += 1 })");

  EXPECT_EQ(scalar<std::int32_t>(run, "up"), 234);
  EXPECT_EQ(scalar<std::int32_t>(run, "down"), 543);
  EXPECT_EQ(scalar<std::int32_t>(run, "steps"), 147);
  EXPECT_EQ(scalar<std::int32_t>(run, "none"), 0);
  EXPECT_EQ(run.outcome.trips.at("p/for#3"), 0u);
}

TEST(Interpret, AForReadsItsBoundsOnce) {
  const auto run = run_text(R"(
    out trips: i32
    var top: i32 = 3
    for i in 0..top { top = 100; trips += 1 })");

  EXPECT_EQ(scalar<std::int32_t>(run, "trips"), 3);
}

TEST(Interpret, AStepOfZeroIsAFault) {
  const auto run = run_text("in s: i32\nout k: i32\nif true { for i in 0..3 step s { k = 1 } }",
                            support::OwnedArguments().with("s", Value(0)));

  EXPECT_EQ(run.outcome.status, Status::Fault);
  EXPECT_EQ(run.outcome.fault, FaultKind::ZeroStep);
  EXPECT_EQ(run.outcome.region, "p/if#0/then/for#0");
}

TEST(Interpret, AForAcrossAllIntegersDoesNotOverflow) {
  const auto run = run_text(R"(
    out last: i64, trips: i32
    for i in 9223372036854775800..9223372036854775807 step 5 { last = i; trips += 1 })");

  EXPECT_EQ(scalar<std::int32_t>(run, "trips"), 2);
  EXPECT_EQ(scalar<std::int64_t>(run, "last"), 9223372036854775805);
}

TEST(Interpret, ALimitThatIsReachedExactlyCompletes) {
  const auto run = run_text("out k: i32\nwhile k < 3 limit 3 { k += 1 }");

  EXPECT_EQ(run.outcome.status, Status::Completed);
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), 3u);
}

TEST(Interpret, ALimitFiresWhereTheConditionStillHolds) {
  const auto run = run_text("out k: i32\nwhile k < 4 limit 3 { k += 1 }");

  EXPECT_EQ(run.outcome.status, Status::TripLimit);
  EXPECT_EQ(run.outcome.region, "p/while#0");
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), 3u);
}

TEST(Interpret, ALimitOfZeroAllowsAConditionThatFails) {
  EXPECT_EQ(run_text("while false limit 0 { }").outcome.status, Status::Completed);
  EXPECT_EQ(run_text("while true limit 0 { }").outcome.status, Status::TripLimit);
}

TEST(Interpret, ALimitOfZeroLeavesADoNoTrip) {
  const auto run = run_text("out k: i32\ndo { k += 1 } while k < 5 limit 0");

  EXPECT_EQ(run.outcome.status, Status::TripLimit);
  EXPECT_EQ(run.outcome.trips.at("p/do#0"), 0u);
}

TEST(Interpret, ALimitCountsPerEntryAndTripsOverAllEntries) {
  const auto run = run_text(R"(
    for i in 0..4 {
      var k: i32
      while k < 3 limit 3 { k += 1 }
    })");

  EXPECT_EQ(run.outcome.status, Status::Completed);
  EXPECT_EQ(run.outcome.trips.at("p/for#0/while#0"), 12u);
}

TEST(Interpret, ALimitIsReadAtEntry) {
  const auto run = run_text(R"(
    out k: i32
    var most: i32 = 2
    while k < 5 limit most { k += 1; most = 100 })");

  EXPECT_EQ(run.outcome.status, Status::TripLimit);
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), 2u);
}

TEST(Interpret, TheRunsLimitHoldsWhereALoopNamesNone) {
  const auto run = run_text("out k: i64\nwhile true { k += 1 }", {}, {.max_trips = 7});

  EXPECT_EQ(run.outcome.status, Status::TripLimit);
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), 7u);
}

TEST(Interpret, AnEmptyLoopReachesItsLimitAtOnce) {
  const auto run = run_text("while true { }");

  EXPECT_EQ(run.outcome.status, Status::TripLimit);
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), default_max_trips);
}

TEST(Interpret, AnEmptyForCountsItsTrips) {
  const auto run = run_text("for i in 0..1000000000000 { }");

  EXPECT_EQ(run.outcome.trips.at("p/for#0"), 1000000000000u);
}

TEST(Interpret, BreakLeavesTheInnermostLoopAndItsTripCounts) {
  const auto run = run_text(R"(
    out a: i32, b: i32
    for i in 0..3 {
      for k in 0..10 {
        if k == 2 { break }
        a += 1
      }
      b += 1
    })");

  EXPECT_EQ(scalar<std::int32_t>(run, "a"), 6);
  EXPECT_EQ(scalar<std::int32_t>(run, "b"), 3);
  EXPECT_EQ(run.outcome.trips.at("p/for#0/for#0"), 9u);
}

TEST(Interpret, ContinueSkipsTheRestOfTheTripFirstMiddleAndLast) {
  const auto run = run_text(R"(
    out before: i32, after: i32
    for i in 0..6 {
      if i == 0 { continue }
      before += 1
      if i == 3 { continue }
      after += 1
      if i == 5 { continue }
    })");

  EXPECT_EQ(scalar<std::int32_t>(run, "before"), 5);
  EXPECT_EQ(scalar<std::int32_t>(run, "after"), 4);
  EXPECT_EQ(run.outcome.trips.at("p/for#0"), 6u);
}

TEST(Interpret, ContinueInADoGoesToItsTest) {
  const auto run = run_text(R"(
    out k: i32, late: i32
    do {
      k += 1
      if k < 3 { continue }
      late += 1
    } while k < 4)");

  EXPECT_EQ(scalar<std::int32_t>(run, "k"), 4);
  EXPECT_EQ(scalar<std::int32_t>(run, "late"), 2);
}

TEST(Interpret, CancellingEndsARunBeforeItsNextTrip) {
  std::atomic<bool> cancel = false;
  RunOptions options{.cancel = &cancel};
  options.on_trip = [&](std::string_view, std::uint64_t trip, auto) { cancel = trip == 4; };

  const auto run = run_text("out k: i32\nwhile true { k += 1 }", {}, options);

  EXPECT_EQ(run.outcome.status, Status::Cancelled);
  EXPECT_EQ(run.outcome.trips.at("p/while#0"), 5u);
}

TEST(Interpret, ItsObserverSeesEachTripOfEachDeviceLoop) {
  std::string seen;
  const RunOptions options{.on_trip = [&](std::string_view region, std::uint64_t trip, auto) {
    seen += std::string(region) + ":" + std::to_string(trip) + " ";
  }};

  run_text("out k: i32\nfor i in 0..2 { do { k += 1 } while false }", {}, options);

  EXPECT_EQ(seen, "p/for#0:0 p/for#0/do#0:0 p/for#0:1 p/for#0/do#0:1 ");
}

}  // namespace
}  // namespace gyre::ir
