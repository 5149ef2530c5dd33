/// Who watches a solve hears of its trips as they were, and can end it.
#include "gyre/solvers/solver.hpp"
#include "systems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

// Large enough for a look or two on the way.
constexpr std::int32_t grid_side = 200;
constexpr std::size_t n = 40'000;

struct Heard {
  std::vector<std::int64_t> trips;
  Values residuals;

  Monitor monitor() {
    return [this](std::int64_t trip, double residual) {
      trips.push_back(trip);
      residuals.push_back(residual);
      return true;
    };
  }
};

TEST(Monitor, HearsOfEachTripOnceAndInOrderWithTheResidualsOfTheHistory) {
  const auto matrix = laplacian(grid_side);
  Solver solver(view(matrix), {.history = 1000});
  Values x(n, 0.0);
  Heard heard;

  const auto result = solver.solve(Values(n, 1.0), x, {}, heard.monitor());

  ASSERT_EQ(heard.trips.size(), static_cast<std::size_t>(result.iterations) + 1);
  for (std::size_t i = 0; i < heard.trips.size(); ++i) {
    EXPECT_EQ(heard.trips[i], static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(heard.residuals, result.history);
}

TEST(Monitor, HearsOfTripsWhileTheSolveRuns) {
  const auto matrix = laplacian(grid_side);
  Solver solver(view(matrix), {.history = 1000});
  Values x(n, 0.0);
  std::int64_t last = -1;

  const auto result = solver.solve(Values(n, 1.0), x, {.rtol = 0, .max_trips = 1'000'000},
                                   [&](std::int64_t trip, double residual) {
                                     EXPECT_GT(residual, 0);
                                     last = trip;
                                     return trip < 5;
                                   });

  EXPECT_EQ(result.reason, Reason::Cancelled);
  EXPECT_GE(last, 5);
  EXPECT_EQ(last, result.iterations);
  EXPECT_TRUE(std::isnan(result.relative_residual));
  EXPECT_TRUE(std::isfinite(norm(x)));
}

TEST(Monitor, MissesWhatAShortHistoryHasForgotten) {
  const auto matrix = laplacian(grid_side);
  Solver solver(view(matrix), {.history = 2});
  Values x(n, 0.0);
  Heard heard;

  const auto result = solver.solve(Values(n, 1.0), x, {}, heard.monitor());

  for (std::size_t i = 1; i < heard.trips.size(); ++i) {
    EXPECT_GT(heard.trips[i], heard.trips[i - 1]);
  }
  ASSERT_GE(heard.trips.size(), 2U);
  EXPECT_EQ(heard.trips.back(), result.iterations);
  EXPECT_EQ(heard.residuals.back(), result.history.back());
  EXPECT_EQ(result.history.size(), 2U);
}

TEST(Monitor, IsAskedWhereTripsAreFasterThanAShortHistory) {
  const auto matrix = laplacian(1);
  for (const std::int64_t history : {1, 2, 7, 64}) {
    Solver solver(view(matrix), {.method = "richardson", .history = history});
    Values x(1, 0.0);
    std::int64_t last = -1;

    // So small a step takes it nowhere.
    const auto result = solver.solve(
        Values(1, 1.0), x,
        {.rtol = 0, .max_trips = 1'000'000'000, .max_seconds = 20, .relaxation = 1e-9},
        [&](std::int64_t trip, double residual) {
          EXPECT_GT(trip, last);
          EXPECT_TRUE(std::isnan(residual) || std::abs(residual - 1) < 0.1) << residual;
          last = trip;
          return trip < 100;
        });

    EXPECT_EQ(result.reason, Reason::Cancelled) << history;
    EXPECT_GE(last, 100) << history;
  }
}

TEST(Monitor, IsAskedWithoutAHistoryToo) {
  const auto matrix = laplacian(grid_side);
  Solver solver(view(matrix));
  Values x(n, 0.0);

  const auto result = solver.solve(Values(n, 1.0), x, {.rtol = 0, .max_trips = 1'000'000},
                                   [](std::int64_t, double residual) {
                                     EXPECT_TRUE(std::isnan(residual));
                                     return false;
                                   });

  EXPECT_EQ(result.reason, Reason::Cancelled);
}

TEST(Monitor, HearsNothingOfTheSolveBefore) {
  const auto matrix = laplacian(grid_side);
  Solver solver(view(matrix), {.history = 1000});
  Values x(n, 0.0);
  solver.solve(Values(n, 1.0), x);
  Heard heard;

  // x is good already: no trip is left to be heard of.
  const auto result = solver.solve(Values(n, 1.0), x, {.rtol = 1e-6}, heard.monitor());

  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(heard.trips, std::vector<std::int64_t>{0});
}

TEST(Monitor, CostsAShortSolveNoTime) {
  const auto matrix = diagonal({1, 2});
  Solver solver(view(matrix), {.history = 10});
  Values x(2, 0.0);
  double fastest = std::numeric_limits<double>::max();

  // The machine may be busy now and then, but not each time.
  for (int i = 0; i < 20; ++i) {
    const auto result =
        solver.solve(Values(2, 1.0), x, {}, [](std::int64_t, double) { return true; });
    fastest = std::min(fastest, result.seconds);
  }

  EXPECT_LT(fastest, 0.005);
}

TEST(MaxSeconds, EndsASolveThatTakesLonger) {
  const auto matrix = laplacian(grid_side);
  Solver solver(view(matrix));
  Values x(n, 0.0);

  const auto result =
      solver.solve(Values(n, 1.0), x, {.rtol = 0, .max_trips = 1'000'000, .max_seconds = 0.02});

  EXPECT_EQ(result.reason, Reason::MaxSeconds);
  EXPECT_GE(result.seconds, 0.02);
  EXPECT_TRUE(std::isfinite(norm(x)));
}

TEST(MaxSeconds, LeavesAShorterSolveAlone) {
  const auto matrix = laplacian(12);
  Values x(144, 0.0);

  const auto result = Solver(view(matrix)).solve(Values(144, 1.0), x, {.max_seconds = 100});

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(x, solve(matrix, Values(144, 1.0)).x);
}

}  // namespace
}  // namespace gyre::solvers
