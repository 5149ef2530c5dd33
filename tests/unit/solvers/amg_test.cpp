/// Solves with algebraic multigrid, whose hierarchy is set up on the host.
#include "gyre/solvers/dense_matrix.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/smoothed_aggregation.hpp"
#include "support/refusal.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using support::refusal;
using testing::HasSubstr;

const SolverOptions with_amg = {.preconditioner = Preconditioner::Multigrid};

TEST(Amg, ConjugateGradientsTakeAFewTripsHoweverLargeTheGrid) {
  std::vector<std::int64_t> trips;
  for (const int side : {32, 64, 128}) {
    const auto matrix = laplacian(side);
    const Values b(static_cast<std::size_t>(matrix.rows), 1.0);

    const auto solved = solve(matrix, b, {.rtol = 1e-8}, with_amg);

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << side;
    EXPECT_LE(relative_residual(matrix, b, solved.x), 1e-8) << side;
    trips.push_back(solved.result.iterations);
  }

  EXPECT_LE(trips.back(), 16);
  EXPECT_LT(static_cast<double>(trips.back()), 1.5 * static_cast<double>(trips.front()));
}

TEST(Amg, EveryMethodThatTakesAPreconditionerConverges) {
  const auto matrix = laplacian(40);
  const Values b = textbook::random_values(static_cast<std::size_t>(matrix.rows));
  for (const Method& method : methods()) {
    if (!method.takes_preconditioner) continue;
    SolverOptions options = with_amg;
    options.method = std::string(method.name);

    const auto solved = solve(matrix, b, {.rtol = 1e-8}, options);

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << method.name;
    EXPECT_LE(solved.result.iterations, 60) << method.name;
  }
}

TEST(Amg, WorksInMixedPrecision) {
  const auto matrix = laplacian(40);
  const Values b = textbook::random_values(static_cast<std::size_t>(matrix.rows));
  SolverOptions mixed = with_amg;
  mixed.mixed = true;

  const auto solved = solve(matrix, b, {.rtol = 1e-10}, mixed);

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(relative_residual(matrix, b, solved.x), 1.001e-10);
}

TEST(Amg, ColumnsMayStandInAnyOrderAndTwice) {
  // 2 -1; -1 2, with the diagonal of the first row in halves.
  const std::vector<std::int32_t> row = {0, 3, 5};
  const std::vector<std::int32_t> col = {1, 0, 0, 1, 0};
  const Values val = {-1, 1, 1, 2, -1};
  Solver solver(CsrView{2, row, col, val}, with_amg);
  const Values b = {1, 1};
  Values x(2);

  const auto result = solver.solve(std::span<const double>(b), std::span<double>(x));

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_NEAR(x[0], 1, 1e-12);
}

TEST(Amg, AnotherMatrixTakesItsOwnHierarchy) {
  const auto first = laplacian(24);
  auto second = first;
  for (double& value : second.val) value *= 7;
  const Values b(static_cast<std::size_t>(first.rows), 1.0);
  Solver solver(view(first), with_amg);
  Values x(b.size());
  const auto before = solver.solve(std::span<const double>(b), std::span<double>(x));

  solver.set_matrix(view(second));
  x.assign(b.size(), 0);
  const auto after = solver.solve(std::span<const double>(b), std::span<double>(x));

  EXPECT_EQ(after.reason, Reason::ConvergedRtol);
  EXPECT_EQ(after.iterations, before.iterations);
}

TEST(Amg, RefusesWhatItCannotSetUp) {
  const std::vector<std::int32_t> row = {0, 1, 2};
  const std::vector<std::int32_t> col = {0, 0};
  const Values val = {1, 1};
  const Values dense = {2, 0, 0, 2};

  EXPECT_THAT(refusal([&] {
                Solver(CsrView{2, row, col, val}, with_amg);
              }),
              HasSubstr("row 2 has no positive diagonal entry"));
  EXPECT_THAT(refusal([&] {
                Solver(csr_matrix(CsrView{2, row, col, val}, Contents::Trust), with_amg);
              }),
              HasSubstr("whose entries they may look at"));
  EXPECT_THAT(refusal([&] {
                Solver(dense_matrix(DenseView{2, dense}), with_amg);
              }),
              HasSubstr("in compressed rows"));
}

}  // namespace
}  // namespace gyre::solvers
