/// Incomplete factors without fill, against the loops of a textbook over dense arrays.
#include "gyre/base/error.hpp"
#include "gyre/solvers/dense_matrix.hpp"
#include "gyre/solvers/ell_matrix.hpp"
#include "gyre/solvers/matrix_free.hpp"
#include "gyre/solvers/stencil_matrix.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using testing::HasSubstr;
using textbook::random_values;
using Dense = std::vector<Values>;

const SolverOptions ilu = {.preconditioner = Preconditioner::Ilu0};
const SolverOptions ic = {.preconditioner = Preconditioner::Ic0};

Dense full(const io::CsrMatrix& matrix) {
  const auto n = static_cast<std::size_t>(matrix.rows);
  Dense rows(n, Values(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (auto k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      rows[i][static_cast<std::size_t>(matrix.col[at])] += matrix.val[at];
    }
  }
  return rows;
}

// Elimination that leaves zeros of A zeros: L below the diagonal, U on and above it.
Dense ilu_of(Dense a) {
  const Dense pattern = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (pattern[i][k] == 0) continue;
      a[i][k] /= a[k][k];
      for (std::size_t j = k + 1; j < a.size(); ++j) {
        if (pattern[i][j] != 0) a[i][j] -= a[i][k] * a[k][j];
      }
    }
  }
  return a;
}

// The Cholesky factor with roots, of the lower triangle, zeros of A left zeros.
Dense cholesky_of(const Dense& a) {
  Dense l(a.size(), Values(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (a[i][j] == 0) continue;
      double rest = a[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(rest) : rest / l[j][j];
    }
  }
  return l;
}

// (L U)⁻¹ r, where L has ones on its diagonal.
Values solved_by_ilu(const Dense& lu, Values r) {
  for (std::size_t i = 0; i < r.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) r[i] -= lu[i][j] * r[j];
  }
  for (std::size_t i = r.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < r.size(); ++j) r[i] -= lu[i][j] * r[j];
    r[i] /= lu[i][i];
  }
  return r;
}

// (L Lᵀ)⁻¹ r
Values solved_by_cholesky(const Dense& l, Values r) {
  for (std::size_t i = 0; i < r.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) r[i] -= l[i][j] * r[j];
    r[i] /= l[i][i];
  }
  for (std::size_t i = r.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < r.size(); ++j) r[i] -= l[j][i] * r[j];
    r[i] /= l[i][i];
  }
  return r;
}

// M⁻¹ b: one trip of Richardson's iteration from 0.
Values applied(const io::CsrMatrix& matrix, const Values& b, SolverOptions options) {
  options.method = "richardson";
  return solve(matrix, b, {.rtol = 0, .max_trips = 1}, options).x;
}

void expect_near(const Values& found, const Values& expected, double tolerance) {
  double size = 0;
  for (const double one : expected) size = std::max(size, std::abs(one));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance * size) << i;
  }
}

// Far from symmetric, with a diagonal that keeps pivots away from 0.
io::CsrMatrix scattered(std::int32_t n, int others) {
  std::mt19937 random(5);
  std::uniform_int_distribution<std::int32_t> column(0, n - 1);
  std::uniform_real_distribution<double> number(-1, 1);
  io::Triplets triplets;
  for (std::int32_t i = 0; i < n; ++i) {
    triplets.add(i, i, 3 + number(random));
    for (int k = 0; k < others; ++k) triplets.add(i, column(random), number(random));
  }
  return io::make_csr(n, n, triplets);
}

io::CsrMatrix symmetric(const io::CsrMatrix& matrix) {
  Dense sum = full(matrix);
  const Dense other = full(io::transpose(matrix));
  for (std::size_t i = 0; i < sum.size(); ++i) {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[i][j] += other[i][j];
    sum[i][i] += 8;
  }
  return dense(sum);
}

TEST(Ilu0, IsTheTextbooksElementByElement) {
  for (const auto& matrix : {laplacian(7, 3.0), scattered(50, 1), scattered(50, 4)}) {
    const Dense factors = ilu_of(full(matrix));
    const auto n = static_cast<std::size_t>(matrix.rows);
    for (std::size_t j = 0; j < n; ++j) {
      Values unit(n);
      unit[j] = 1;

      expect_near(applied(matrix, unit, ilu), solved_by_ilu(factors, unit), 1e-13);
    }
  }
}

TEST(Ic0, IsTheTextbooksElementByElement) {
  for (const auto& matrix :
       {laplacian(7, 3.0), symmetric(scattered(50, 1)), symmetric(scattered(50, 4))}) {
    const Dense factor = cholesky_of(full(matrix));
    const auto n = static_cast<std::size_t>(matrix.rows);
    for (std::size_t j = 0; j < n; ++j) {
      Values unit(n);
      unit[j] = 1;

      expect_near(applied(matrix, unit, ic), solved_by_cholesky(factor, unit), 1e-13);
    }
  }
}

// Residuals of conjugate gradients with M⁻¹ as a function.
template <class Apply>
Values textbook_cg(const io::CsrMatrix& a, const Values& b, const Apply& apply, std::size_t trips) {
  Values r = b;
  Values z = apply(r);
  Values p = z;
  double rz = textbook::dot(r, z);
  Values history = {norm(r)};
  for (std::size_t trip = 0; trip < trips; ++trip) {
    const Values q = io::multiply(a, p);
    textbook::add(r, -rz / textbook::dot(p, q), q);
    z = apply(r);
    const double next = textbook::dot(r, z);
    p = textbook::scaled(next / rz, p);
    textbook::add(p, 1, z);
    rz = next;
    history.push_back(norm(r));
  }
  return history;
}

TEST(Ic0, ConjugateGradientsHaveTheResidualsOfTheTextbookTripByTrip) {
  const auto matrix = laplacian(16, 3.0);
  const Values b = random_values(256);
  const Dense factor = cholesky_of(full(matrix));
  SolverOptions options = ic;
  options.history = 100;

  const auto solved = solve(matrix, b, {.rtol = 1e-8}, options);

  const auto& history = solved.result.history;
  const auto expected = textbook_cg(
      matrix, b, [&](const Values& r) { return solved_by_cholesky(factor, r); },
      history.size() - 1);
  ASSERT_GT(history.size(), 10U);
  // The last is b − A x, computed anew.
  for (std::size_t trip = 0; trip < history.size(); ++trip) {
    EXPECT_NEAR(history[trip] / expected[trip], 1.0, 1e-6) << "trip " << trip;
  }
}

TEST(Ic0, LooksAtTheLowerTriangleAlone) {
  const auto matrix = symmetric(scattered(30, 3));
  Dense upper_changed = full(matrix);
  for (std::size_t i = 0; i < upper_changed.size(); ++i) {
    for (std::size_t j = i + 1; j < upper_changed.size(); ++j) upper_changed[i][j] *= -7;
  }
  const Values b = random_values(30);

  EXPECT_EQ(applied(dense(upper_changed), b, ic), applied(matrix, b, ic));
}

// A matrix whose factors have no fill is factored exactly.
TEST(Incomplete, SolvesATridiagonalSystemInOneTrip) {
  io::Triplets triplets;
  for (std::int32_t i = 0; i < 40; ++i) {
    triplets.add(i, i, 2.5);
    if (i > 0) triplets.add(i, i - 1, -1);
    if (i < 39) triplets.add(i, i + 1, -1);
  }
  const auto matrix = io::make_csr(40, 40, triplets);
  const Values b = random_values(40);

  for (const SolverOptions& options : {ilu, ic}) {
    const auto solved = solve(matrix, b, {.rtol = 1e-12}, options);

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
    EXPECT_EQ(solved.result.iterations, 1);
  }
}

TEST(Incomplete, TakesFewerTripsThanJacobi) {
  const auto matrix = laplacian(40);
  const Values b = random_values(1600);
  const auto by_jacobi = solve(matrix, b, {}, with_jacobi()).result.iterations;

  EXPECT_LT(2 * solve(matrix, b, {}, ic).result.iterations, by_jacobi);
  EXPECT_LT(2 * solve(matrix, b, {}, ilu).result.iterations, by_jacobi);
}

TEST(Incomplete, ColumnsMayStandInAnyOrderAndTwice) {
  const auto matrix = scattered(40, 3);
  // Each row backwards, and its first entry in halves.
  io::CsrMatrix shuffled{.rows = 40, .cols = 40, .row = {0}, .col = {}, .val = {}};
  for (std::size_t i = 0; i < 40; ++i) {
    for (auto k = static_cast<std::size_t>(matrix.row[i + 1]);
         k-- > static_cast<std::size_t>(matrix.row[i]);) {
      const bool is_first = k == static_cast<std::size_t>(matrix.row[i]);
      for (int part = 0; part < (is_first ? 2 : 1); ++part) {
        shuffled.col.push_back(matrix.col[k]);
        shuffled.val.push_back(is_first ? matrix.val[k] / 2 : matrix.val[k]);
      }
    }
    shuffled.row.push_back(static_cast<std::int32_t>(shuffled.col.size()));
  }
  const Values b = random_values(40);

  for (const SolverOptions& options : {ilu, ic}) {
    EXPECT_EQ(applied(shuffled, b, options), applied(matrix, b, options));
  }
}

TEST(Incomplete, SeesNewValuesInTheCallersArraysAndTakesAnotherPattern) {
  auto matrix = scattered(40, 3);
  Solver solver(view(matrix), {.method = "richardson", .preconditioner = Preconditioner::Ilu0});
  const Values b = random_values(40);
  const auto apply = [&] {
    Values x(40, 0.0);
    solver.solve(b, x, {.rtol = 0, .max_trips = 1});
    return x;
  };
  apply();

  for (double& one : matrix.val) one *= 1.5;
  EXPECT_EQ(apply(), applied(matrix, b, ilu));

  // As many entries at other places.
  auto other = io::transpose(matrix);
  ASSERT_NE(other.col, matrix.col);
  solver.set_matrix(view(other));
  EXPECT_EQ(apply(), applied(other, b, ilu));
}

TEST(Incomplete, ASolveMayOutliveItsSolver) {
  const auto matrix = laplacian(20);
  const Values b = random_values(400);
  const auto expected = solve(matrix, b, {}, ilu);
  SolverOptions on_cpu = ilu;
  on_cpu.compile.executor = "cpu";
  auto solver = std::make_unique<Solver>(view(matrix), on_cpu);
  Values x(400, 0.0);
  int stream = 0;

  auto launch = solver->solve(b, x, StreamRef(&stream));
  solver.reset();
  const auto result = launch.result();

  EXPECT_EQ(result.iterations, expected.result.iterations);
  EXPECT_EQ(x, expected.x);
}

TEST(Incomplete, F32AndMixedGoTheirWayInF32) {
  const auto matrix = laplacian(20, 3.0);
  const Values b = random_values(400);
  for (const SolverOptions& options : {ilu, ic}) {
    auto mixed = options;
    mixed.mixed = true;
    const auto low = solve_f32(matrix, b, {.rtol = 1e-5}, options);
    const auto refined = solve(matrix, b, {.rtol = 1e-12}, mixed);

    EXPECT_EQ(low.result.reason, Reason::ConvergedRtol);
    EXPECT_LT(low.result.iterations, 40);
    EXPECT_EQ(refined.result.reason, Reason::ConvergedRtol);
    EXPECT_LE(relative_residual(matrix, b, refined.x), 1.001e-12);
  }
}

TEST(Incomplete, ARowWithoutADiagonalEntryIsNamed) {
  // Row 2 has none stored; elimination would bring one there.
  const auto matrix = dense({{2, 0, 1}, {0, 3, 0}, {1, 0, 0}});

  for (const SolverOptions& options : {ilu, ic}) {
    const auto solved = solve(matrix, {1, 1, 1}, {}, options);

    EXPECT_EQ(solved.result.reason, Reason::NoDiagonal);
    EXPECT_EQ(solved.result.row, 2);
    EXPECT_EQ(solved.result.iterations, 0);
    EXPECT_EQ(solved.x, Values(3, 0.0));
  }
}

TEST(Incomplete, ARowWithAPivotOfZeroIsNamed) {
  // 4 − 2 · 2 = 0 in row 1, and what follows is no number.
  const auto matrix = dense({{1, 2, 0}, {2, 4, 1}, {0, 1, 5}});

  for (const SolverOptions& options : {ilu, ic}) {
    const auto solved = solve(matrix, {1, 1, 1}, {}, options);

    EXPECT_EQ(solved.result.reason, Reason::BadPivot);
    EXPECT_EQ(solved.result.row, 1);
    EXPECT_NE(describe(solved.result).find("row 2 "), std::string::npos);
    EXPECT_EQ(solved.x, Values(3, 0.0));
  }
}

TEST(Ic0, ARowWithANegativePivotIsNamedWhereIlu0GoesOn) {
  const auto matrix = dense({{1, 3}, {3, 2}});

  const auto refused = solve(matrix, {1, 1}, {}, ic);
  const auto solved =
      solve(matrix, {4, 5}, {}, {.method = "gmres", .preconditioner = Preconditioner::Ilu0});

  EXPECT_EQ(refused.result.reason, Reason::BadPivot);
  EXPECT_EQ(refused.result.row, 1);
  EXPECT_EQ(refused.result.iterations, 0);
  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_NEAR(solved.x[0], 1, 1e-12);
}

// One pass of each kind of chunk: a level that is cut, and more levels than a loop holds copies of.
TEST(Incomplete, WideAndManyLevelsAreSolved) {
  io::Triplets triplets;
  const std::int32_t wide = 40'000;
  const std::int32_t n = 1 + wide + 500;
  for (std::int32_t i = 0; i < n; ++i) {
    triplets.add(i, i, 2);
    if (i > 0) triplets.add(i, i <= wide ? 0 : i - 1, -1);
  }
  const auto matrix = io::make_csr(n, n, triplets);
  const Values b(static_cast<std::size_t>(n), 1.0);

  const auto solved = solve(matrix, b, {.rtol = 1e-12},
                            {.method = "richardson", .preconditioner = Preconditioner::Ilu0});

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(solved.result.iterations, 1);
}

TEST(Incomplete, EllAndStencilsHaveTheFactorsOfTheSameMatrixInCompressedRows) {
  const auto matrix = laplacian(9);
  const auto ell = make_ell(view(matrix));
  const Values stencil = {4, -1, -1, -1, -1};
  const Values b = random_values(81);

  for (auto options : {ilu, ic}) {
    const Values expected = applied(matrix, b, options);
    options.method = "richardson";
    for (const auto& held : {ell_matrix(ell.view()),
                             stencil_matrix(StencilView{{9, 9}, nearest_neighbours(2), stencil})}) {
      Solver solver(held, options);
      Values x(81, 0.0);
      solver.solve(b, x, {.rtol = 0, .max_trips = 1});

      EXPECT_EQ(x, expected);
    }
  }
}

TEST(Incomplete, WhatTheHostCannotLookAtIsRefusedInOneSentence) {
  const auto matrix = laplacian(3);
  const Values dense_values(81, 1.0);
  const auto complaint = [](std::shared_ptr<const Matrix> held,
                            Preconditioner preconditioner) -> std::string {
    try {
      Solver(std::move(held), {.preconditioner = preconditioner});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "nothing";
  };

  for (const auto preconditioner :
       {Preconditioner::Ilu0, Preconditioner::Ic0, Preconditioner::Ssor}) {
    EXPECT_THAT(complaint(csr_matrix(view(matrix), Contents::Trust), preconditioner),
                HasSubstr("whose entries they may look at on the host; this one has 9 rows"));
    EXPECT_THAT(complaint(dense_matrix(DenseView{9, dense_values}), preconditioner),
                HasSubstr("this one has 9 x 9 entries"));
  }
}

}  // namespace
}  // namespace gyre::solvers
