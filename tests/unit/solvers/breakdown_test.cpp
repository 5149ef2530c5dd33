/// Where a method cannot go on: each ends with its own reason and the last good x.
#include "systems.hpp"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

SolverOptions by(const std::string& method) {
  return {.method = method};
}

// Takes a vector's entries to the places of their neighbours.
io::CsrMatrix shift(std::int32_t n) {
  io::Triplets triplets;
  for (std::int32_t i = 0; i < n; ++i) triplets.add(i, (i + 1) % n, 1);
  return io::make_csr(n, n, triplets);
}

TEST(BiCgStabBreaksDown, WhereTheShadowMeetsNoProduct) {
  // Skew: r̂ᵀA r is 0 for r̂ = r.
  const auto solved = solve(dense({{0, 1}, {-1, 0}}), {1, 0}, {}, by("bicgstab"), {0, 0});

  EXPECT_EQ(solved.result.reason, Reason::Breakdown);
  EXPECT_EQ(solved.result.iterations, 0);
  EXPECT_EQ(solved.x, (Values{0, 0}));
  EXPECT_NE(describe(solved.result).find("trip 1"), std::string::npos);
}

TEST(BiCgStabBreaksDown, WhereOmegaIsZeroWithTheHalfStepMade) {
  // In the first trip α = 1 and s = (−1, −1, 2), of which sᵀA s = 0.
  const auto solved = solve(diagonal({2, 2, -1}), {1, 1, 1}, {}, by("bicgstab"));

  EXPECT_EQ(solved.result.reason, Reason::Breakdown);
  EXPECT_EQ(solved.result.iterations, 1);
  EXPECT_EQ(solved.x, (Values{1, 1, 1}));
}

TEST(BiCgStab, SolvesInItsHalfStep) {
  // s = 0 leaves tᵀs / tᵀt without a meaning.
  const auto solved = solve(diagonal({2, 2}), {4, 8}, {.rtol = 0}, by("bicgstab"));

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 1);
  EXPECT_EQ(solved.x, (Values{2, 4}));
}

TEST(Gmres, SolvesAShiftOnlyOnceItsCycleIsLongEnough) {
  const Values b = {1, 0, 0, 0, 0};

  const auto enough = solve(shift(5), b, {}, {.method = "gmres", .restart = 5});
  const auto one_short = solve(shift(5), b, {}, {.method = "gmres", .restart = 4});

  EXPECT_EQ(enough.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(enough.result.iterations, 5);
  EXPECT_EQ(one_short.result.reason, Reason::Stagnated);
  EXPECT_EQ(one_short.x, Values(5, 0.0));
}

TEST(Gmres, TakesALimitThatIsNoMultipleOfItsCycle) {
  const auto matrix = laplacian(20);
  const Values b(400, 1.0);

  const auto solved =
      solve(matrix, b, {.rtol = 1e-12, .max_trips = 17}, {.method = "gmres", .restart = 7});

  EXPECT_EQ(solved.result.reason, Reason::MaxTrips);
  EXPECT_EQ(solved.result.iterations, 17);
  EXPECT_EQ(solved.result.restarts, 2);
  EXPECT_NEAR(relative_residual(matrix, b, solved.x) / solved.result.relative_residual, 1.0, 1e-9);
}

TEST(Gmres, ResidualNeverRises) {
  const auto matrix = laplacian(16, 5.0);

  const auto solved = solve(matrix, Values(256, 1.0), {.rtol = 1e-6, .max_trips = 300},
                            {.method = "gmres", .restart = 10, .history = 400});

  const auto& history = solved.result.history;
  for (std::size_t i = 1; i < history.size(); ++i) {
    EXPECT_LE(history[i], history[i - 1] * (1 + 1e-12)) << i;
  }
}

TEST(Minres, SolvesIndefiniteMatrices) {
  const auto solved = solve(diagonal({1, -3, 2, -5}), {1, 1, 1, 1}, {}, by("minres"));

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(solved.result.iterations, 4);
  EXPECT_NEAR(solved.x[1], -1.0 / 3, 1e-8);
}

TEST(Minres, RefusesAPreconditionerThatIsNotPositive) {
  const auto solved = solve(diagonal({1, -3}), {1, 3}, {},
                            {.method = "minres", .preconditioner = Preconditioner::Jacobi});

  EXPECT_EQ(solved.result.reason, Reason::Indefinite);
  EXPECT_EQ(solved.x, Values(2, 0.0));
}

TEST(GaussSeidel, DivergesWhereRelaxationIsTooLarge) {
  const auto solved =
      solve(laplacian(12), Values(144, 1.0), {.relaxation = 2.5}, by("gauss_seidel"));

  EXPECT_EQ(solved.result.reason, Reason::Dtol);
  EXPECT_TRUE(std::isfinite(norm(solved.x)));
}

TEST(GaussSeidel, NamesARowWithoutADiagonalEntry) {
  const auto solved = solve(dense({{1, 0}, {1, 0}}), {1, 1}, {}, by("gauss_seidel"));

  EXPECT_EQ(solved.result.reason, Reason::NoDiagonal);
  EXPECT_EQ(solved.result.row, 1);
}

TEST(Dtol, EndsASolveInTheTripInWhichItsResidualHasGrownSoFar) {
  const auto matrix = laplacian(12, 5.0);
  const Values b(144, 1.0);
  const auto free = solve(matrix, b, {}, {.history = 1000}).result;
  const auto grown = std::find_if(free.history.begin(), free.history.end(),
                                  [&](double one) { return one > 1.0001 * free.history[0]; });
  ASSERT_NE(grown, free.history.end());

  const auto limited = solve(matrix, b, {.dtol = 1.0001});

  EXPECT_EQ(free.reason, Reason::ConvergedRtol);
  EXPECT_EQ(limited.result.reason, Reason::Dtol);
  EXPECT_EQ(limited.result.iterations, grown - free.history.begin());
  EXPECT_NEAR(relative_residual(matrix, b, limited.x) / limited.result.relative_residual, 1.0,
              1e-9);
}

}  // namespace
}  // namespace gyre::solvers
