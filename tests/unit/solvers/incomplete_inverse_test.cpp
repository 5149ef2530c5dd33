/// Incomplete factors as solvers use them: matrices in every form, new values, rows without a
/// pivot.
#include "gyre/solvers/dense_matrix.hpp"
#include "gyre/solvers/ell_matrix.hpp"
#include "gyre/solvers/stencil_matrix.hpp"
#include "incomplete.hpp"
#include "support/refusal.hpp"
#include "textbook.hpp"

#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using testing::HasSubstr;
using textbook::random_values;

// A matrix whose factors have no fill is factored exactly.
TEST(Incomplete, SolvesATridiagonalSystemInOneTrip) {
  const auto matrix = tridiagonal(40);
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
    return support::refusal([&] { Solver(std::move(held), {.preconditioner = preconditioner}); });
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
