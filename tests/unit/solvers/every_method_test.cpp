/// What every method promises, with every preconditioner: reasons that are true, at the edges too.
#include "gyre/solvers/methods.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

struct Way {
  std::string method;
  Preconditioner preconditioner = Preconditioner::None;
};

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.method << " with " << name_of(way.preconditioner);
}

// Far from singular, so that the simplest methods converge too.
io::CsrMatrix dominant(io::CsrMatrix matrix) {
  for (double& one : matrix.val) one *= one > 0 ? 1.25 : 1;
  return matrix;
}

class EveryMethod : public testing::TestWithParam<Way> {
 protected:
  static SolverOptions way() {
    return {.method = GetParam().method, .preconditioner = GetParam().preconditioner};
  }

  static Solved run(const io::CsrMatrix& matrix, const Values& b, const SolveOptions& options = {},
                    Values x = {}) {
    return solve(matrix, b, settled(matrix, options), way(), std::move(x));
  }

  // Richardson's iteration needs a step that fits the matrix.
  static SolveOptions settled(const io::CsrMatrix& matrix, SolveOptions options) {
    if (!needs_step()) return options;
    double largest = 0;
    for (std::size_t i = 0; i + 1 < matrix.row.size(); ++i) {
      double sum = 0;
      for (auto k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
        sum += std::abs(matrix.val[static_cast<std::size_t>(k)]);
      }
      if (std::isfinite(sum)) largest = std::max(largest, sum);
    }
    options.relaxation = largest > 0 ? 1 / largest : 1;
    return options;
  }
  static bool needs_step() {
    return GetParam().method == "richardson" && GetParam().preconditioner == Preconditioner::None;
  }
};

TEST_P(EveryMethod, SolvesAndReportsTheResidualThatTheCallerFinds) {
  const auto matrix = dominant(laplacian(20, 2.0));
  const Values b = random_values(400);

  const auto solved = run(matrix, b, {.rtol = 1e-9});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(solved.result.relative_residual, 1e-9);
  EXPECT_NEAR(relative_residual(matrix, b, solved.x) / solved.result.relative_residual, 1.0, 1e-3);
  EXPECT_NEAR(solved.result.residual / solved.result.relative_residual, norm(b), 1e-9);
}

TEST_P(EveryMethod, ZeroRhsGivesZeroInNoTripsWhateverTheStart) {
  const auto solved = run(laplacian(4), Values(16, 0.0), {}, Values(16, 5.0));

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 0);
  EXPECT_EQ(solved.x, Values(16, 0.0));
}

TEST_P(EveryMethod, ExactStartTakesNoTripAndIsLeftAlone) {
  const auto solved = run(diagonal({2, 4, 8}), {2, 8, 24}, {.rtol = 0}, {1, 2, 3});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 0);
  EXPECT_EQ(solved.x, (Values{1, 2, 3}));
}

TEST_P(EveryMethod, SolvesNoRowsOneRowAndTheIdentity) {
  EXPECT_EQ(run(diagonal({}), {}).result.iterations, 0);
  EXPECT_TRUE(is_converged(run(diagonal({}), {}).result.reason));
  const auto one = run(diagonal({3}), {6}, {.rtol = 1e-12});
  EXPECT_EQ(one.result.reason, Reason::ConvergedRtol);
  EXPECT_NEAR(one.x[0], 2, 1e-11);
  const auto identity =
      run(diagonal(Values(50, 1.0)), random_values(50), {.eigenvalue_min = 1, .eigenvalue_max = 1});
  EXPECT_EQ(identity.result.reason, Reason::ConvergedRtol);
  // A polynomial of degree 3 is not the inverse of I, and only some methods make up for a factor.
  EXPECT_LE(identity.result.iterations,
            GetParam().preconditioner == Preconditioner::Chebyshev ? 40 : 1);
}

TEST_P(EveryMethod, NeverExceedsItsTripsAndChecksTheLastOne) {
  const auto matrix = dominant(laplacian(12, 2.0));
  const Values b = random_values(144);
  const auto needed = run(matrix, b, {.rtol = 1e-6}).result.iterations;

  const auto exact = run(matrix, b, {.rtol = 1e-6, .max_trips = needed});
  const auto short_by_one = run(matrix, b, {.rtol = 1e-6, .max_trips = needed - 1});

  EXPECT_EQ(exact.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(exact.result.iterations, needed);
  EXPECT_EQ(short_by_one.result.reason, Reason::MaxTrips);
  EXPECT_EQ(short_by_one.result.iterations, needed - 1);
  EXPECT_EQ(run(matrix, b, {.max_trips = 0}).result.reason, Reason::MaxTrips);
  EXPECT_EQ(run(matrix, b, {.max_trips = 0}).result.relative_residual, 1.0);
}

TEST_P(EveryMethod, StagnatesWhereThePrecisionAllowsNoBetter) {
  const auto matrix = laplacian(12);
  const Values b = random_values(144);

  const auto solved = run(matrix, b, {.rtol = 1e-18});

  EXPECT_EQ(solved.result.reason, Reason::Stagnated);
  EXPECT_LT(relative_residual(matrix, b, solved.x), 1e-14);
  EXPECT_LT(solved.result.iterations, 5000);
}

TEST_P(EveryMethod, NanAndInfinityAreFoundAtTheStart) {
  for (const double bad : {nan, infinity, -infinity}) {
    auto matrix = laplacian(4);
    matrix.val[5] = bad;
    Values b(16, 1.0);
    b[3] = bad;

    EXPECT_EQ(run(matrix, Values(16, 1.0)).result.reason, Reason::NanOrInf);
    EXPECT_EQ(run(laplacian(4), b).result.reason, Reason::NanOrInf);
    EXPECT_EQ(run(laplacian(4), b, {.rtol = 1, .atol = 1e300}).result.iterations, 0);
  }
}

TEST_P(EveryMethod, ScalingTheSystemChangesNoTrip) {
  const auto matrix = dominant(laplacian(12, 2.0));
  const Values b = random_values(144);
  const auto trips = run(matrix, b).result.iterations;

  for (const double scale : {std::ldexp(1.0, 66), std::ldexp(1.0, -66), std::ldexp(1.0, 333)}) {
    auto scaled = matrix;
    for (double& one : scaled.val) one *= scale;
    auto rhs = b;
    for (double& one : rhs) one *= scale;

    EXPECT_EQ(run(scaled, rhs).result.iterations, trips) << scale;
    EXPECT_EQ(run(matrix, rhs).result.iterations, trips) << scale;
  }
}

TEST_P(EveryMethod, SingularMatricesEndWithATrueReasonAndAFiniteX) {
  for (const auto& matrix : {diagonal({0, 0}), dense({{1, 1}, {1, 1}}), diagonal({1, 0, 1})}) {
    const Values b = matrix.rows == 2 ? Values{1, -1} : Values{1, 1, 1};

    const auto solved = run(matrix, b, {.max_trips = 100});

    EXPECT_FALSE(is_converged(solved.result.reason));
    EXPECT_TRUE(std::isfinite(norm(solved.x))) << name_of(solved.result.reason);
    EXPECT_NEAR(relative_residual(matrix, b, solved.x), solved.result.relative_residual, 1e-12);
  }
}

TEST_P(EveryMethod, SingularConsistentSystemIsSolved) {
  // The Laplacian of a ring: constants are its kernel, and b has none of them.
  io::Triplets triplets;
  const std::int32_t n = 24;
  Values b(n);
  for (std::int32_t i = 0; i < n; ++i) {
    triplets.add(i, i, 2);
    triplets.add(i, (i + 1) % n, -1);
    triplets.add(i, (i + n - 1) % n, -1);
    b[static_cast<std::size_t>(i)] = i < n / 2 ? 1 : -1;
  }
  const auto ring = io::make_csr(n, n, triplets);

  // Some of its eigenvalues make Richardson turn back and forth by 1.
  const auto solved = run(ring, b, {.rtol = 1e-6, .relaxation = 0.7});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(relative_residual(ring, b, solved.x), 1.001e-6);
}

TEST_P(EveryMethod, SolvesInF32WithAResidualThatIsTrue) {
  const auto matrix = dominant(laplacian(16, 2.0));
  const Values b = random_values(256);

  const auto solved = solve_f32(matrix, b, settled(matrix, {.rtol = 1e-5}), way());
  const auto beyond = solve_f32(matrix, b, settled(matrix, {.rtol = 1e-12}), way());

  const auto residual = [&](const SolvedF32& one) {
    const std::vector<float> rounded(b.begin(), b.end());
    return relative_residual(matrix, Values(rounded.begin(), rounded.end()),
                             Values(one.x.begin(), one.x.end()));
  };
  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_NEAR(residual(solved) / solved.result.relative_residual, 1.0, 1e-6);
  EXPECT_EQ(beyond.result.reason, Reason::Stagnated);
  EXPECT_NEAR(residual(beyond) / beyond.result.relative_residual, 1.0, 1e-2);
  EXPECT_LT(residual(beyond), 1e-6);
}

TEST_P(EveryMethod, F32NeitherOverflowsNorVanishes) {
  const auto matrix = laplacian(8);
  for (const double size : {1e-36, 1e-20, 1e20, 1e35}) {
    const auto solved = solve_f32(matrix, Values(64, size), settled(matrix, {.rtol = 1e-5}), way());

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << size;
    EXPECT_GT(solved.result.iterations, 2) << size;
  }
}

TEST_P(EveryMethod, MixedPrecisionReachesWhatF64Does) {
  const auto matrix = dominant(laplacian(16, 2.0));
  const Values b = random_values(256);
  auto mixed = way();
  mixed.mixed = true;

  const auto solved = solve(matrix, b, settled(matrix, {.rtol = 1e-12}), mixed);

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(relative_residual(matrix, b, solved.x), 1.001e-12);
  EXPECT_GT(solved.result.restarts, 0);
  for (const double size : {1e-200, 1e200}) {
    EXPECT_EQ(
        solve(matrix, Values(256, size), settled(matrix, {.rtol = 1e-10}), mixed).result.reason,
        Reason::ConvergedRtol);
  }
}

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const Method& method : methods()) {
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      if (!method.takes_preconditioner && preconditioner.kind != Preconditioner::None) continue;
      // Takes diagonals from 0 on alone: amg_test.cpp.
      if (preconditioner.kind == Preconditioner::Multigrid) continue;
      all.push_back({std::string(method.name), preconditioner.kind});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, testing::ValuesIn(ways()), [](const auto& test) {
  return test.param.method + "_" + std::string(name_of(test.param.preconditioner));
});

}  // namespace
}  // namespace gyre::solvers
