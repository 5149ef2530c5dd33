#include "gyre/solvers/solver.hpp"

#include "gyre/base/error.hpp"
#include "gyre/solvers/batched_solver.hpp"
#include "gyre/solvers/methods.hpp"
#include "support/refusal.hpp"
#include "systems.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using support::refusal;

TEST(Solver, IsMadeOnceForManyRightHandSides) {
  const auto matrix = laplacian(12);
  Solver solver(view(matrix));
  Values x(144);

  for (const double size : {1.0, -3.0, 0.0, 1e6}) {
    const Values b(144, size);
    std::fill(x.begin(), x.end(), 0.0);
    const auto again = solver.solve(b, x);

    EXPECT_TRUE(is_converged(again.reason));
    EXPECT_EQ(x, solve(matrix, b).x) << size;
  }
}

TEST(Solver, SeesNewValuesInTheCallersArrays) {
  auto matrix = diagonal({1, 2});
  Solver solver(view(matrix), with_jacobi());
  Values x(2, 0.0);
  solver.solve(Values{4, 4}, x);

  matrix.val = {4, 8};
  std::fill(x.begin(), x.end(), 0.0);
  solver.solve(Values{4, 4}, x);

  EXPECT_EQ(x, (Values{1, 0.5}));
}

TEST(Solver, TakesAnotherMatrixOfItsShapeOnly) {
  const auto first = diagonal({1, 2});
  const auto second = diagonal({4, 8});
  const auto larger = diagonal({1, 2, 3});
  Solver solver(view(first));
  Values x(2, 0.0);

  solver.set_matrix(view(second));
  const auto result = solver.solve(Values{4, 8}, x);

  EXPECT_TRUE(is_converged(result.reason));
  EXPECT_EQ(x, (Values{1, 1}));
  EXPECT_EQ(refusal([&] { solver.set_matrix(view(larger)); }),
            "the solver was made for 2 rows and 2 entries, not for 3 rows and 3 entries");
}

TEST(Solver, KeepsTheLastResidualsOfALongSolve) {
  const auto matrix = laplacian(12);
  const Values b(144, 1.0);

  const auto all = solve(matrix, b, {}, {.history = 1000}).result;
  const auto last = solve(matrix, b, {}, {.history = 5}).result;
  const auto none = solve(matrix, b).result;

  ASSERT_EQ(static_cast<std::int64_t>(all.history.size()), all.iterations + 1);
  EXPECT_DOUBLE_EQ(all.history.front(), norm(b));
  EXPECT_DOUBLE_EQ(all.history.back(), all.residual);
  EXPECT_EQ(last.first_kept, last.iterations - 4);
  EXPECT_EQ(last.history, Values(all.history.end() - 5, all.history.end()));
  EXPECT_TRUE(none.history.empty());
}

TEST(Solver, TakesItsMethodByItselfAndDefaultsForItsSolves) {
  const auto matrix = laplacian(12);
  const Values b(144, 1.0);
  Values x(144, 0.0);
  Solver solver("minres", csr_matrix(view(matrix)), {.defaults = {.rtol = 1e-3}});
  Solver same(view(matrix), {.method = "minres"});
  Values y(144, 0.0);

  const auto result = solver.solve(b, x);
  const auto expected = same.solve(b, y, {.rtol = 1e-3});

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(result.iterations, expected.iterations);
  EXPECT_EQ(x, y);
}

TEST(Solver, TellsTheResultOfItsLastSolve) {
  const auto matrix = laplacian(12);
  Solver solver(view(matrix));
  Values x(144, 0.0);
  EXPECT_THROW(solver.result(), UsageError);

  const auto result = solver.solve(Values(144, 1.0), x);

  EXPECT_EQ(solver.result().iterations, result.iterations);
  EXPECT_EQ(solver.result().reason, result.reason);
}

TEST(Solver, LaunchesOnAStreamAndTellsTheSameThere) {
  const auto matrix = laplacian(12);
  const Values b(144, 1.0);
  const auto expected = solve(matrix, b);
  Solver solver(csr_matrix(view(matrix), Contents::Trust), {.compile = {.executor = "cpu"}});
  Values x(144, 0.0);
  int stream = 0;

  auto launch = solver.solve(b, x, StreamRef(&stream));
  const auto result = launch.result();

  EXPECT_TRUE(launch.ready());
  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(result.iterations, expected.result.iterations);
  EXPECT_EQ(solver.result().iterations, expected.result.iterations);
  EXPECT_EQ(x, expected.x);
}

TEST(Solver, RefusesCountsThatNoMachineHasRoomFor) {
  const auto matrix = diagonal({1, 2});
  const Values b(2, 1.0);
  const auto most = std::numeric_limits<std::int64_t>::max();

  EXPECT_EQ(refusal([&] { solve(matrix, b, {}, {.method = "gmres", .restart = most}); }),
            "restart must be from 1 to 1000000");
  EXPECT_EQ(refusal([&] {
              solve(matrix, b, {},
                    {.preconditioner = Preconditioner::BlockJacobi, .block_size = most});
            }),
            "block_size must be from 1 to 1000000");
  EXPECT_EQ(refusal([&] {
              solve(matrix, b, {}, {.preconditioner = Preconditioner::Chebyshev, .degree = most});
            }),
            "degree must be from 1 to 1000");
}

TEST(Solver, RefusesBadOptionsByName) {
  const auto matrix = diagonal({1, 2});
  const Values b(2, 1.0);

  EXPECT_EQ(refusal([&] { solve(matrix, b, {.rtol = -1}); }), "rtol must be a number from 0 on");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {.rtol = std::nan("")}); }),
            "rtol must be a number from 0 on");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {.atol = -1e-30}); }),
            "atol must be a number from 0 on");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {.max_trips = -1}); }),
            "max_trips must not be negative");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {.check_every = 0}); }),
            "check_every must be at least 1");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {.max_seconds = 0}); }),
            "max_seconds must be a positive number");
  EXPECT_EQ(
      refusal([&] { Solver solver(view(matrix), {.defaults = {.max_seconds = std::nan("")}}); }),
      "max_seconds must be a positive number");
  EXPECT_EQ(refusal([&] {
              Solver solver(view(matrix), {.history = 1, .compile = {.overlap = Overlap::Queue}});
            }),
            "a history is of one solve at a time, and Overlap::Queue lets more wait");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {}, {.history = -1}); }), "history is negative");
  EXPECT_EQ(refusal([&] { solve(matrix, Values(3, 1.0)); }),
            "b and x need n = 2 elements, and have 3 and 3");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {.dtol = 0.5}); }), "dtol must be a number from 1 on");
  EXPECT_EQ(refusal([&] { solve(matrix, b, {}, {.method = "gmres", .restart = 0}); }),
            "restart must be from 1 to 1000000");
  EXPECT_TRUE(refusal([&] {
                method_named("gc");
              }).starts_with("there is no method 'gc'; there is: cg, chronopoulos_gear, "));
  EXPECT_TRUE(refusal([&] {
                preconditioner_named("lu");
              }).starts_with("there is no preconditioner 'lu'; there is: none, jacobi"));
}

TEST(Solver, RefusesArraysThatAreNoMatrix) {
  const auto complain = [](const io::CsrMatrix& matrix) {
    return refusal([&] { Solver solver(view(matrix)); });
  };
  const io::CsrMatrix good = diagonal({1, 2});
  auto outside = good;
  outside.col[1] = 2;
  auto backwards = good;
  backwards.row = {0, 3, 2};
  auto incomplete = good;
  incomplete.val.pop_back();
  auto ends_early = good;
  ends_early.row = {0, 1, 1};
  auto wrong_rows = good;
  wrong_rows.rows = 3;

  EXPECT_EQ(complain(outside), "the matrix: column 2 is outside 0 .. 2");
  EXPECT_EQ(complain(backwards), "the matrix: row 1 (from 0) ends before it begins");
  EXPECT_EQ(complain(incomplete), "the matrix: 2 columns with 1 values");
  EXPECT_EQ(complain(ends_early), "the matrix: the row starts do not go from 0 to its 2 entries");
  EXPECT_EQ(complain(wrong_rows), "the matrix: n = 3 rows need n + 1 row starts, and 3 are given");
}

TEST(Solver, TakesColumnsInAnyOrderAndSumsDuplicates) {
  // [[2, 1], [1, 2]], its first diagonal entry as 0.5 + 1.5.
  const std::vector<std::int32_t> row = {0, 3, 5};
  const std::vector<std::int32_t> col = {1, 0, 0, 1, 0};
  const Values val = {1, 0.5, 1.5, 2, 1};
  Solver solver({2, row, col, val}, with_jacobi());
  Values x(2, 0.0);

  const auto result = solver.solve(Values{3, 3}, x);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(x, (Values{1, 1}));
}

TEST(Solver, NoMatrixIsRefused) {
  const std::string none = "a solver was given no matrix: the pointer to it is null";
  const auto matrix = laplacian(12);
  Solver solver(view(matrix));

  EXPECT_EQ(refusal([] { Solver(std::shared_ptr<const Matrix>()); }), none);
  EXPECT_EQ(refusal([&] { solver.set_matrix(std::shared_ptr<const Matrix>()); }), none);
  EXPECT_EQ(refusal([] { BatchedSolver(std::shared_ptr<const BatchMatrix>()); }), none);
  EXPECT_EQ(refusal([] { shared_batch(std::shared_ptr<const Matrix>(), 2); }), none);
}

}  // namespace
}  // namespace gyre::solvers
