#include "gyre/dispatch/break_even.hpp"

#include "gyre/base/error.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace gyre::dispatch {
namespace {

TEST(BreakEven, IsWhereBothHaveCostTheSame) {
  // 600 + 300 · 10 = 300 · 12; the 301st run is the first that is ahead.
  EXPECT_EQ(break_even({.capture = 600, .eager = 12, .replay = 10}), 300);
}

TEST(BreakEven, RoundsUpToAWholeRun) {
  EXPECT_EQ(break_even({.capture = 601, .eager = 12, .replay = 10}), 301);
  EXPECT_EQ(break_even({.capture = 1, .eager = 12, .replay = 10}), 1);
  EXPECT_EQ(break_even({.capture = 0, .eager = 12, .replay = 10}), 0);
}

TEST(BreakEven, NeverComesWhereReplaysAreNoQuicker) {
  EXPECT_EQ(break_even({.capture = 600, .eager = 10, .replay = 12}), std::nullopt);
  EXPECT_EQ(break_even({.capture = 600, .eager = 10, .replay = 10}), std::nullopt);
  EXPECT_EQ(break_even({.capture = 0, .eager = 10, .replay = 10}), std::nullopt);
}

TEST(BreakEven, RefusesWhatIsNoCost) {
  EXPECT_THROW(break_even({.capture = -1, .eager = 12, .replay = 10}), UsageError);
  EXPECT_THROW(break_even({.capture = std::numeric_limits<double>::quiet_NaN()}), UsageError);
  EXPECT_THROW(break_even({.eager = std::numeric_limits<double>::infinity()}), UsageError);
}

}  // namespace
}  // namespace gyre::dispatch
