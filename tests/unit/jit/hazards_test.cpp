#include "../../../src/jit/hazards.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::jit {
namespace {

// For each kernel that sweeps, one behind the other, whether all must meet before its sweep.
std::vector<bool> meetings_of(const std::string& statements,
                              const plan::PlanSteps& steps = plan::no_steps) {
  const plan::Plan plan = plan::make_plan(
      passes::run_passes(text::parse_program(
          "test.gyre",
          "program p(n: size, m: size) {\n  inout x: f64[n], y: f64[n]\n" + statements + "\n}")),
      steps);
  Hazards hazards(plan);
  std::vector<bool> meetings;
  for (const plan::Kernel& kernel : plan.kernels) {
    if (!kernel.sweep) continue;
    meetings.push_back(hazards.needs_meeting(part_of(*kernel.sweep)));
  }
  return meetings;
}

using Meetings = std::vector<bool>;

TEST(Hazards, OwnPlacesOfTheSamePointsNeedNoMeeting) {
  EXPECT_EQ(meetings_of("foreach i in 0..n { x[i] = 1.0 }\n"
                        "foreach k in 0..n { y[k] = x[k] }\n"
                        "foreach i in 0..n { x[i] = y[i] }"),
            (Meetings{false, false, false}));
}

TEST(Hazards, AReadOfAnotherPlaceMeetsTheWriter) {
  EXPECT_EQ(meetings_of("foreach i in 0..n { x[i] = 1.0 }\n"
                        "foreach i in 0..n { y[i] = x[n - 1 - i] }"),
            (Meetings{false, true}));
}

TEST(Hazards, AWriterMeetsThoseWhoMayStillRead) {
  EXPECT_EQ(meetings_of("foreach i in 0..n { y[i] = x[n - 1 - i] }\n"
                        "foreach i in 0..n { x[i] = 1.0 }"),
            (Meetings{false, true}));
}

TEST(Hazards, OtherPointsAreOtherOwners) {
  EXPECT_EQ(meetings_of("foreach i in 0..n { x[i] = 1.0 }\n"
                        "foreach i in 0..m { y[i] = x[i] }\n"
                        "foreach i in 0..n { x[i] = 2.0 }"),
            (Meetings{false, true, true}));
}

// Temporaries whose lives do not overlap have the same memory.
TEST(Hazards, WhoStoresToABufferMeetsThoseWhoMayReadAnotherThatWasThere) {
  const std::string statements =
      "for t in 0..2 {\n  temp a: f64[n]\n"
      "foreach i in 0..n { a[i] = x[i] }\n"
      "foreach i in 0..n { x[i] = a[n - 1 - i] }\n"
      "temp c: f64[n]\n"
      "foreach i in 0..n { c[i] = x[i] }\n"
      "temp b: f64[n]\n"
      "foreach i in 0..n { b[i] = c[i] }\n"
      "foreach i in 0..n { x[i] = b[n - 1 - i] + c[i]";

  EXPECT_EQ(meetings_of(statements + " }\n}", plan::all_steps),
            (Meetings{false, true, false, true, true}));
  EXPECT_EQ(meetings_of(statements + " + a[i] }\n}", plan::all_steps),
            (Meetings{false, true, false, false, true}))
      << "which live at once";
}

TEST(Hazards, ReadersDoNotMeet) {
  EXPECT_EQ(meetings_of("foreach i in 0..n { y[i] = x[n - 1 - i] }\n"
                        "foreach i in 0..n { y[i] = y[i] + x[0] }"),
            (Meetings{false, false}));
}

TEST(Hazards, AMeetingSettlesAllThatWasPending) {
  EXPECT_EQ(meetings_of("foreach i in 0..n { x[i] = 1.0 }\n"
                        "foreach i in 0..n { y[i] = x[n - 1 - i] }\n"
                        "foreach i in 0..n { y[i] = x[n - 1 - i] }"),
            (Meetings{false, true, false}));
}

TEST(Hazards, AFoldIsFinishedBehindAMeeting) {
  const plan::Plan plan;
  Hazards hazards(plan);

  EXPECT_FALSE(hazards.needs_meeting({nullptr, {}, {3}, {}}));
  EXPECT_FALSE(hazards.needs_meeting({nullptr, {}, {}, {4}}));
  EXPECT_TRUE(hazards.needs_meeting({nullptr, {}, {}, {3}}));
  EXPECT_TRUE(hazards.needs_meeting({nullptr, {}, {3}, {}}));
}

}  // namespace
}  // namespace gyre::jit
