#include "gyre/solvers/cg.hpp"

#include "systems.hpp"
#include "textbook.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

TEST(Cg, ReportsTheResidualThatTheCallerFinds) {
  const auto matrix = laplacian(30);
  const Values b = random_values(900);

  const auto solved = solve(matrix, b, {.rtol = 1e-9});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(solved.result.relative_residual, 1e-9);
  EXPECT_NEAR(relative_residual(matrix, b, solved.x) / solved.result.relative_residual, 1.0, 1e-3);
  EXPECT_NEAR(solved.result.residual / solved.result.relative_residual, norm(b), 1e-9);
}

TEST(Cg, JacobiSavesTripsWhereTheDiagonalVaries) {
  const auto matrix = laplacian(20, 30.0);
  const Values b(400, 1.0);

  const auto plain = solve(matrix, b);
  const auto preconditioned = solve(matrix, b, {}, with_jacobi());

  EXPECT_TRUE(is_converged(plain.result.reason));
  EXPECT_TRUE(is_converged(preconditioned.result.reason));
  EXPECT_LT(2 * preconditioned.result.iterations, plain.result.iterations);
}

TEST(Cg, ZeroRhsGivesZeroInNoTripsWhateverTheStart) {
  const auto solved = solve(laplacian(4), Values(16, 0.0), {}, {}, Values(16, 5.0));

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 0);
  EXPECT_EQ(solved.result.relative_residual, 0.0);
  EXPECT_EQ(solved.x, Values(16, 0.0));
}

TEST(Cg, ExactStartTakesNoTripAndIsLeftAlone) {
  const auto matrix = diagonal({2, 4, 8});

  const auto solved = solve(matrix, {2, 8, 24}, {.rtol = 0}, {}, {1, 2, 3});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 0);
  EXPECT_EQ(solved.x, (Values{1, 2, 3}));
}

TEST(Cg, GoodStartSavesTrips) {
  const auto matrix = laplacian(20);
  const Values b(400, 1.0);
  const auto rough = solve(matrix, b, {.rtol = 1e-4});

  const auto cold = solve(matrix, b, {.rtol = 1e-8});
  const auto warm = solve(matrix, b, {.rtol = 1e-8}, {}, rough.x);

  EXPECT_TRUE(is_converged(warm.result.reason));
  EXPECT_LT(warm.result.iterations, cold.result.iterations);
}

TEST(Cg, IdentityOneRowAndEqualDiagonalTakeOneTrip) {
  EXPECT_EQ(solve(diagonal(Values(50, 1.0)), random_values(50)).result.iterations, 1);
  EXPECT_EQ(solve(diagonal({3}), {6}).x, Values{2});
  EXPECT_EQ(solve(diagonal({3}), {6}).result.iterations, 1);
}

TEST(Cg, JacobiTakesOneTripOnAnyDiagonal) {
  const auto solved = solve(diagonal({1, 20, 400, 8000}), {1, 2, 3, 4}, {}, with_jacobi());

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 1);
}

TEST(Cg, ToleranceZeroIsReachedByAResidualOfZero) {
  const auto solved = solve(diagonal({4, 4}), {8, 12}, {.rtol = 0});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.residual, 0.0);
  EXPECT_EQ(solved.x, (Values{2, 3}));
}

TEST(Cg, ToleranceZeroStagnatesWhereRoundingAllowsNoZero) {
  const auto matrix = laplacian(20);
  const Values b(400, 1.0);

  const auto solved = solve(matrix, b, {.rtol = 0});

  EXPECT_EQ(solved.result.reason, Reason::Stagnated);
  EXPECT_LT(relative_residual(matrix, b, solved.x), 1e-13);
  EXPECT_LT(solved.result.iterations, 1000);
}

TEST(Cg, StagnatesAtTheRoundingOfAProductWithX) {
  const auto matrix = laplacian(100);
  const Values b = random_values(10000);

  const auto solved = solve(matrix, b, {.rtol = 1e-17});

  auto sizes = matrix;
  for (double& one : sizes.val) one = std::abs(one);
  Values x_sizes = solved.x;
  for (double& one : x_sizes) one = std::abs(one);
  const double rounding =
      std::numeric_limits<double>::epsilon() * norm(io::multiply(sizes, x_sizes)) / norm(b);
  EXPECT_EQ(solved.result.reason, Reason::Stagnated);
  EXPECT_LT(solved.result.relative_residual, rounding / 4);
}

TEST(Cg, NoRowsAreSolved) {
  const auto solved = solve(diagonal({}), {});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 0);
}

TEST(Cg, TellsWhichToleranceWasMet) {
  const auto matrix = laplacian(10);
  const Values b(100, 1.0);

  EXPECT_EQ(solve(matrix, b, {.rtol = 0, .atol = 1e-3}).result.reason, Reason::ConvergedAtol);
  EXPECT_EQ(solve(matrix, b, {.rtol = 1e-3, .atol = 1e-3}).result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solve(matrix, b, {.rtol = 0, .atol = infinity}).result.iterations, 0);
}

TEST(Cg, NeverExceedsItsTripsAndChecksTheLastOne) {
  const auto matrix = laplacian(20);
  const Values b(400, 1.0);
  const auto needed = solve(matrix, b).result.iterations;

  const auto exact = solve(matrix, b, {.max_trips = needed});
  const auto short_by_one = solve(matrix, b, {.max_trips = needed - 1});

  EXPECT_EQ(exact.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(exact.result.iterations, needed);
  EXPECT_EQ(short_by_one.result.reason, Reason::MaxTrips);
  EXPECT_EQ(short_by_one.result.iterations, needed - 1);
}

TEST(Cg, NoTripsAllowedReportsTheStart) {
  const auto solved = solve(laplacian(4), Values(16, 1.0), {.max_trips = 0});

  EXPECT_EQ(solved.result.reason, Reason::MaxTrips);
  EXPECT_EQ(solved.result.iterations, 0);
  EXPECT_EQ(solved.result.relative_residual, 1.0);
}

TEST(Cg, IndefiniteMatrixBreaksDownAtItsTripWithFiniteX) {
  const auto solved = solve(diagonal({1, -3}), {1, 0.5});

  EXPECT_EQ(solved.result.reason, Reason::Indefinite);
  EXPECT_EQ(solved.result.iterations, 1);
  EXPECT_TRUE(std::isfinite(norm(solved.x)));
  EXPECT_NE(describe(solved.result).find("trip 2"), std::string::npos);
}

TEST(Cg, ZeroAndSingularMatricesBreakDownAtOnce) {
  EXPECT_EQ(solve(diagonal({0, 0}), {1, 1}).result.reason, Reason::Indefinite);
  EXPECT_EQ(solve(dense({{0, 1}, {1, 0}}), {1, 0}).result.reason, Reason::Indefinite);
  EXPECT_EQ(solve(dense({{1, 1}, {1, 1}}), {1, -1}).result.reason, Reason::Indefinite);
}

TEST(Cg, NegativeDiagonalIsNoPreconditioner) {
  const auto solved = solve(diagonal({-1, -2}), {1, 1}, {}, with_jacobi());

  EXPECT_EQ(solved.result.reason, Reason::Indefinite);
  EXPECT_EQ(solved.x, Values(2, 0.0));
}

TEST(Cg, JacobiNamesTheFirstRowWithoutDiagonal) {
  const auto missing =
      solve(dense({{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}), {1, 1, 1}, {}, with_jacobi());
  const auto stored_zero = solve(diagonal({1, 1, 0}), {1, 1, 1}, {}, with_jacobi());

  EXPECT_EQ(missing.result.reason, Reason::NoDiagonal);
  EXPECT_EQ(missing.result.row, 1);
  EXPECT_EQ(stored_zero.result.row, 2);
  EXPECT_NE(describe(missing.result).find("row 2"), std::string::npos);
}

TEST(Cg, NanAndInfinityAreFoundAtTheStart) {
  for (const double bad : {nan, infinity, -infinity}) {
    auto matrix = laplacian(4);
    matrix.val[5] = bad;
    Values b(16, 1.0);
    b[3] = bad;

    EXPECT_EQ(solve(matrix, Values(16, 1.0)).result.reason, Reason::NanOrInf);
    EXPECT_EQ(solve(matrix, Values(16, 1.0), {}, with_jacobi()).result.reason, Reason::NanOrInf);
    EXPECT_EQ(solve(laplacian(4), b).result.reason, Reason::NanOrInf);
    EXPECT_EQ(solve(matrix, Values(16, 0.0)).result.reason, Reason::NanOrInf);
    EXPECT_EQ(solve(laplacian(4), b, {.rtol = 1, .atol = 1e300}).result.iterations, 0);
  }
}

TEST(Cg, OverflowOnTheWayIsNeverConvergence) {
  // A p overflows in the first trip, although b − A x0 is finite.
  const auto solved = solve(diagonal({1e300, 1e300}), {1e10, 1e10});
  const auto lost = solve(dense({{1e200, 1e308}, {1e308, 1e200}}), {1e10, 1e10});

  EXPECT_EQ(solved.result.reason, Reason::NanOrInf);
  EXPECT_TRUE(std::isfinite(norm(solved.x)));
  EXPECT_EQ(lost.result.reason, Reason::NanOrInf);
}

TEST(Cg, ScalingTheSystemChangesNoTrip) {
  const auto matrix = laplacian(20);
  const Values b(400, 1.0);
  const auto trips = solve(matrix, b).result.iterations;

  for (const double scale : {1e20, 1e-20, 1e100, 1e-100}) {
    auto scaled = matrix;
    for (double& one : scaled.val) one *= scale;
    const auto both = solve(scaled, Values(400, scale));
    const auto rhs_alone = solve(matrix, Values(400, scale));

    EXPECT_EQ(both.result.reason, Reason::ConvergedRtol) << scale;
    EXPECT_EQ(both.result.iterations, trips) << scale;
    EXPECT_EQ(rhs_alone.result.iterations, trips) << scale;
  }
}

TEST(Cg, RhsWhoseSquaresVanishOrOverflowIsSolved) {
  const auto matrix = laplacian(10);
  for (const double size : {1e-200, 1e-250, 1e160, 1e280}) {
    const auto solved = solve(matrix, Values(100, size));

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << size;
    EXPECT_GT(solved.result.iterations, 5) << size;
    EXPECT_NEAR(solved.x[0] / size, solve(matrix, Values(100, 1.0)).x[0], 1e-6) << size;
  }
}

TEST(Cg, UnsymmetricMatrixIsNeverCalledConvergedWhenItIsNot) {
  auto matrix = laplacian(10);
  for (std::size_t k = 0; k < matrix.val.size(); k += 3) matrix.val[k] *= 1.5;
  const Values b(100, 1.0);

  const auto solved = solve(matrix, b, {.max_trips = 500});

  const double residual = relative_residual(matrix, b, solved.x);
  EXPECT_EQ(is_converged(solved.result.reason), residual <= 1e-8);
  EXPECT_NEAR(residual / solved.result.relative_residual, 1.0, 1e-6);
}

}  // namespace
}  // namespace gyre::solvers
