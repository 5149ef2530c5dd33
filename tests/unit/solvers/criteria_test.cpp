/// When a solve ends: criteria that combine, looked at in every trip or now and then.
#include "gyre/solvers/methods.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

constexpr std::int64_t cycle = 12;

// A step for Richardson, whose matrices here have eigenvalues below 10.
constexpr double step = 0.2;

class EachMethod : public testing::TestWithParam<std::string> {
 protected:
  static Solved run(const io::CsrMatrix& matrix, const Values& b, SolveOptions options,
                    Values x = {}, std::int64_t history = 0) {
    options.relaxation = GetParam() == "richardson" ? step : 1;
    return solve(matrix, b, options, {.method = GetParam(), .restart = cycle, .history = history},
                 std::move(x));
  }

  // The trip in which a look in every so manieth one finds what is there from `needed` on.
  static std::int64_t looked_at(std::int64_t needed, std::int64_t every) {
    const std::int64_t next = (needed + every - 1) / every * every;
    // The end of a cycle is one in which b − A x is computed anyway.
    const std::int64_t end_of_cycle = (needed + cycle - 1) / cycle * cycle;
    return GetParam() == "gmres" ? std::min(next, end_of_cycle) : next;
  }
};

io::CsrMatrix dominant(std::int32_t side) {
  auto matrix = laplacian(side);
  for (double& one : matrix.val) one *= one > 0 ? 1.5 : 1;
  return matrix;
}

TEST_P(EachMethod, CheckedEverySoManyTripsEndsInTheNextOfThem) {
  const auto matrix = dominant(12);
  const Values b = random_values(144);
  const auto needed = run(matrix, b, {.rtol = 1e-4}).result.iterations;
  ASSERT_GT(needed, 4);

  for (const std::int64_t every : {2, 3, 5, 7, 10}) {
    const auto solved = run(matrix, b, {.rtol = 1e-4, .check_every = every});

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << every;
    EXPECT_EQ(solved.result.iterations, looked_at(needed, every)) << every;
    EXPECT_LE(relative_residual(matrix, b, solved.x), 1e-4) << every;
  }
}

TEST_P(EachMethod, CheckedEverySoManyTripsKeepsToItsLimitAndChecksTheLastTrip) {
  const auto matrix = dominant(12);
  const Values b = random_values(144);
  const auto needed = run(matrix, b, {.rtol = 1e-4}).result.iterations;

  const auto limited = run(matrix, b, {.rtol = 1e-14, .max_trips = 5, .check_every = 7});
  const auto last = run(matrix, b, {.rtol = 1e-4, .max_trips = needed, .check_every = 1000});
  const auto before = run(matrix, b, {.rtol = 1e-4, .max_trips = needed - 1, .check_every = 1000});

  EXPECT_EQ(limited.result.reason, Reason::MaxTrips);
  EXPECT_EQ(limited.result.iterations, 5);
  EXPECT_EQ(last.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(last.result.iterations, needed);
  EXPECT_EQ(before.result.reason, Reason::MaxTrips);
  EXPECT_EQ(before.result.iterations, needed - 1);
}

TEST_P(EachMethod, CheckedEverySoManyTripsTakesTheSameOnes) {
  const auto matrix = dominant(12);
  const Values b = random_values(144);
  const auto each = run(matrix, b, {.rtol = 1e-4}, {}, 1000).result;

  const auto some = run(matrix, b, {.rtol = 1e-4, .check_every = 5}, {}, 1000).result;

  ASSERT_GE(some.history.size(), each.history.size());
  // Its last one was computed anew from x.
  const auto common = static_cast<std::ptrdiff_t>(each.history.size()) - 1;
  EXPECT_TRUE(
      std::equal(each.history.begin(), each.history.begin() + common, some.history.begin()));
}

// Trips past an exact solution divide 0 by 0.
TEST_P(EachMethod, CheckedLateIsNotDrivenPastAnExactSolution) {
  for (const auto& matrix : {diagonal({4}), diagonal({4, 4, 4}), diagonal({1, 2, 4, 8})}) {
    const auto n = static_cast<std::size_t>(matrix.rows);
    const Values b(n, 1.0);

    const auto solved = run(matrix, b, {.max_trips = 100'000, .check_every = 500});

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << n;
    EXPECT_LE(relative_residual(matrix, b, solved.x), 1e-8) << n;
    EXPECT_EQ(run(matrix, Values(n, 0.0), {.check_every = 50}).result.iterations, 0) << n;
  }
}

TEST_P(EachMethod, CheckedLateStagnatesWhereThePrecisionAllowsNoBetter) {
  const auto matrix = dominant(12);
  const Values b = random_values(144);

  const auto solved = run(matrix, b, {.rtol = 1e-18, .check_every = 10});

  EXPECT_EQ(solved.result.reason, Reason::Stagnated);
  EXPECT_LT(relative_residual(matrix, b, solved.x), 1e-14);
  EXPECT_LT(solved.result.iterations, 5000);
}

TEST_P(EachMethod, ToleranceOfTheStartIsHeldAgainstTheFirstResidual) {
  const auto matrix = dominant(12);
  const Values b = random_values(144);
  const auto rough = run(matrix, b, {.rtol = 1e-3});
  const double start = norm(b) * relative_residual(matrix, b, rough.x);

  const auto of_rhs = run(matrix, b, {.rtol = 1e-5}, rough.x);
  const auto of_start = run(matrix, b, {.rtol = 1e-5, .rtol_of = RtolOf::Start}, rough.x);

  EXPECT_EQ(of_rhs.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(of_start.result.reason, Reason::ConvergedRtol);
  EXPECT_NEAR(of_start.result.start_residual / start, 1, 1e-9);
  EXPECT_LE(of_start.result.residual, 1e-5 * of_start.result.start_residual);
  EXPECT_GT(of_rhs.result.residual, 1e-5 * of_rhs.result.start_residual);
  EXPECT_GT(of_start.result.iterations, of_rhs.result.iterations);
}

// From x = 0 the two are the same norm.
TEST_P(EachMethod, ToleranceOfTheStartIsThatOfTheRhsFromZero) {
  const auto matrix = dominant(12);
  const Values b = random_values(144);

  const auto of_rhs = run(matrix, b, {.rtol = 1e-5});
  const auto of_start = run(matrix, b, {.rtol = 1e-5, .rtol_of = RtolOf::Start});

  EXPECT_EQ(of_start.result.iterations, of_rhs.result.iterations);
  EXPECT_EQ(of_start.x, of_rhs.x);
  EXPECT_NEAR(of_start.result.start_residual / norm(b), 1, 1e-12);
}

TEST_P(EachMethod, ToleranceOfAnExactStartIsMetAtOnce) {
  const auto solved = run(diagonal({2, 4, 8}), {2, 8, 24}, {.rtol_of = RtolOf::Start}, {1, 2, 3});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 0);
  EXPECT_EQ(solved.result.start_residual, 0.0);
  const auto zero = run(laplacian(4), Values(16, 0.0), {.rtol_of = RtolOf::Start}, Values(16, 5));
  EXPECT_EQ(zero.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(zero.result.iterations, 0);
}

TEST_P(EachMethod, EndsByWhicheverToleranceIsMetFirst) {
  const auto matrix = dominant(12);
  const Values b = random_values(144);
  const double size = norm(b);

  const auto by_rtol = run(matrix, b, {.rtol = 1e-3, .atol = 1e-6 * size});
  const auto by_atol = run(matrix, b, {.rtol = 1e-6, .atol = 1e-3 * size});

  EXPECT_EQ(by_rtol.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(by_atol.result.reason, Reason::ConvergedAtol);
  EXPECT_EQ(by_rtol.result.iterations, by_atol.result.iterations);
  EXPECT_EQ(run(matrix, b, {.rtol = 0, .atol = 2 * size}).result.iterations, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, EachMethod, testing::ValuesIn([] {
                           std::vector<std::string> names;
                           for (const Method& one : methods()) names.emplace_back(one.name);
                           return names;
                         }()),
                         [](const auto& test) { return test.param; });

// A step beyond 2 over the largest eigenvalue takes Richardson's iteration away from the solution.
TEST(CheckEvery, SeesInItsNextLookThatTheResidualHasGrown) {
  const auto matrix = dominant(6);
  const Values b = random_values(36);
  const SolverOptions richardson = {.method = "richardson"};
  const auto each = solve(matrix, b, {.dtol = 10, .relaxation = 0.5}, richardson);
  ASSERT_EQ(each.result.reason, Reason::Dtol);

  const auto late =
      solve(matrix, b, {.dtol = 10, .check_every = 16, .relaxation = 0.5}, richardson);

  EXPECT_EQ(late.result.reason, Reason::Dtol);
  EXPECT_EQ(late.result.iterations, (each.result.iterations + 15) / 16 * 16);
  EXPECT_TRUE(std::isfinite(norm(late.x)));
}

TEST(CheckEvery, FindsANanInItsNextLookOrBefore) {
  const auto matrix = dominant(6);
  const Values b = random_values(36);

  // In f64 it overflows after some hundred trips.
  const auto late = solve(matrix, b,
                          {.dtol = std::numeric_limits<double>::infinity(),
                           .max_trips = 100'000,
                           .check_every = 99'999,
                           .relaxation = 50},
                          {.method = "richardson"});

  EXPECT_EQ(late.result.reason, Reason::NanOrInf);
  EXPECT_LT(late.result.iterations, 1000);
}

}  // namespace
}  // namespace gyre::solvers
