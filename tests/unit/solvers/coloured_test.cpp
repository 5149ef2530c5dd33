/// Gauss-Seidel through the colours of a matrix, and there and back as a preconditioner.
#include "gyre/base/error.hpp"
#include "gyre/solvers/level_schedule.hpp"
#include "gyre/solvers/stencil_matrix.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

// Diagonally dominant, with a random pattern that is not symmetric.
io::CsrMatrix scattered(std::int32_t n, int others) {
  std::mt19937 random(5);
  std::uniform_int_distribution<std::int32_t> column(0, n - 1);
  io::Triplets triplets;
  for (std::int32_t i = 0; i < n; ++i) {
    triplets.add(i, i, others + 1);
    for (int k = 0; k < others; ++k) triplets.add(i, column(random), -1);
  }
  return io::make_csr(n, n, triplets);
}

std::vector<std::int32_t> order_of(const io::CsrMatrix& matrix) {
  return schedule_by_colours({matrix.rows, matrix.rows, matrix.row, matrix.col, matrix.val}).order;
}

std::int64_t colours_of(const io::CsrMatrix& matrix) {
  return schedule_by_colours({matrix.rows, matrix.rows, matrix.row, matrix.col, matrix.val})
      .chunks();
}

// x_i += ω (b − A x)_i / a_ii, one row after the other in that order.
void relax(const io::CsrMatrix& a, const Values& b, Values& x, const auto& order, double omega) {
  const Values inverse = textbook::inverse_diagonal(a, true);
  for (const std::int32_t row : order) {
    const auto i = static_cast<std::size_t>(row);
    double rest = b[i];
    for (auto k = a.row[i]; k < a.row[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      rest -= a.val[at] * x[static_cast<std::size_t>(a.col[at])];
    }
    x[i] += omega * inverse[i] * rest;
  }
}

void expect_near(const Values& found, const Values& expected) {
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-13) << i;
}

// With two colours, a few in line, and more than are kernels in line.
std::vector<io::CsrMatrix> matrices() {
  return {diagonal({2, 3}), laplacian(6), scattered(60, 3), scattered(60, 30)};
}

TEST(GaussSeidel, ATripGoesThroughTheRowsInTheOrderOfTheirColours) {
  EXPECT_GT(colours_of(matrices().back()), 12);
  for (const auto& matrix : matrices()) {
    const Values b = random_values(static_cast<std::size_t>(matrix.rows));
    Values expected(b.size(), 0.0);
    for (int trip = 0; trip < 2; ++trip) relax(matrix, b, expected, order_of(matrix), 1.2);

    const auto solved = solve(matrix, b, {.rtol = 0, .max_trips = 2, .relaxation = 1.2},
                              {.method = "gauss_seidel"});

    expect_near(solved.x, expected);
  }
}

TEST(Ssor, IsOneTripThereAndOneBackFromZero) {
  for (const double omega : {1.0, 1.4}) {
    for (const auto& matrix : matrices()) {
      const Values b = random_values(static_cast<std::size_t>(matrix.rows));
      auto order = order_of(matrix);
      Values expected(b.size(), 0.0);
      relax(matrix, b, expected, order, omega);
      std::reverse(order.begin(), order.end());
      relax(matrix, b, expected, order, omega);

      // Richardson's step is ω M⁻¹r.
      const auto solved = solve(matrix, b, {.rtol = 0, .max_trips = 1, .relaxation = omega},
                                {.method = "richardson", .preconditioner = Preconditioner::Ssor});

      expect_near(solved.x, textbook::scaled(omega, expected));
    }
  }
}

TEST(Ssor, TakesFewerTripsThanJacobi) {
  const auto matrix = laplacian(40);
  const Values b = random_values(1600);
  const auto by_jacobi = solve(matrix, b, {}, with_jacobi()).result.iterations;

  const auto by_ssor =
      solve(matrix, b, {.relaxation = 1}, {.preconditioner = Preconditioner::Ssor});

  EXPECT_EQ(by_ssor.result.reason, Reason::ConvergedRtol);
  EXPECT_LT(by_ssor.result.iterations, by_jacobi);
}

// Every row is coupled with two others.
io::CsrMatrix cycles(const std::vector<std::vector<std::int32_t>>& rows) {
  io::Triplets triplets;
  for (const auto& cycle : rows) {
    for (std::size_t k = 0; k < cycle.size(); ++k) {
      triplets.add(cycle[k], cycle[k], 4);
      triplets.add(cycle[k], cycle[(k + 1) % cycle.size()], -1);
      triplets.add(cycle[(k + 1) % cycle.size()], cycle[k], -1);
    }
  }
  return io::make_csr(6, 6, triplets);
}

TEST(GaussSeidel, TakesAMatrixWithMoreColours) {
  const auto even = cycles({{0, 1, 2, 3, 4, 5}});
  const auto odd = cycles({{0, 1, 2}, {3, 4, 5}});
  ASSERT_EQ(colours_of(even), 2);
  ASSERT_EQ(colours_of(odd), 3);
  const Values b = random_values(6);
  Solver solver(view(even), {.method = "gauss_seidel"});
  Values x(6, 0.0);

  solver.set_matrix(view(odd));
  solver.solve(b, x);

  EXPECT_EQ(x, solve(odd, b, {}, {.method = "gauss_seidel"}).x);
}

TEST(GaussSeidel, OfAStencilHasTheBitsOfTheSameMatrixInCompressedRows) {
  const auto matrix = laplacian(9);
  const Values stencil = {4, -1, -1, -1, -1};
  const Values b = random_values(81);
  const auto expected = solve(matrix, b, {.rtol = 1e-8}, {.method = "gauss_seidel"});
  Solver solver(stencil_matrix(StencilView{{9, 9}, nearest_neighbours(2), stencil}),
                {.method = "gauss_seidel"});
  Values x(81, 0.0);

  const auto result = solver.solve(b, x, {.rtol = 1e-8});

  EXPECT_EQ(result.iterations, expected.result.iterations);
  EXPECT_LE(relative_residual(matrix, b, x), 1e-8);
}

TEST(GaussSeidel, TakesNoPreconditioner) {
  const auto matrix = laplacian(3);

  EXPECT_THROW(
      Solver(view(matrix), {.method = "gauss_seidel", .preconditioner = Preconditioner::Jacobi}),
      UsageError);
}

}  // namespace
}  // namespace gyre::solvers
