// The C++ of docs/solvers.md compiles, and does what the page says.
#include <gyre/solvers/batched_solver.hpp>
#include <gyre/solvers/csr_matrix.hpp>
#include <gyre/solvers/solver.hpp>

#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace gyre::solvers;

// The Laplacian of a line of four points, its right-hand side, and its solution.
constexpr std::int64_t n = 4;
const std::vector<std::int32_t> row = {0, 2, 5, 8, 10};
const std::vector<std::int32_t> col = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3};
const std::vector<double> values = {2, -1, -1, 2, -1, -1, 2, -1, -1, 2};
const std::vector<double> ones(n, 1.0);
const std::vector<double> solution = {2, 3, 3, 2};

void expect_solution(std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], solution[i % n], 1e-6) << i;
}

TEST(SolversPage, SolvesOnAStream) {
  const std::vector<double>& b = ones;
  const std::vector<double>& val = values;
  std::vector<double> x(n);
  // The host solves on any stream, even one that it does not know.
  int nobodys = 0;
  int* const stream = &nobodys;

  using namespace gyre::solvers;
  Solver solver("cg", csr_matrix({n, row, col, val}), {.preconditioner = Preconditioner::Jacobi});
  solver.solve(b, x, stream, {.rtol = 1e-8});
  const SolveResult& result = solver.result();
  if (!is_converged(result.reason)) std::puts(describe(result).c_str());

  EXPECT_TRUE(is_converged(result.reason)) << describe(result);
  expect_solution(x);
}

TEST(SolversPage, TellsOfEachTrip) {
  const auto matrix = csr_matrix({n, row, col, values});
  const std::vector<double>& b = ones;
  std::vector<double> x(n);

  Solver solver("cg", matrix, {.history = 4000});
  solver.solve(b, x, {.rtol = 1e-8}, [](std::int64_t trip, double residual) {
    std::printf("%lld %.3e\n", static_cast<long long>(trip), residual);
    return true;
  });

  expect_solution(x);
}

TEST(SolversPage, SolvesABatch) {
  const std::int64_t systems = 2;
  std::vector<double> val;
  for (int system = 0; system < systems; ++system) {
    val.insert(val.end(), values.begin(), values.end());
  }
  const std::vector<double> b(systems * n, 1.0);
  std::vector<double> x(systems * n);

  BatchedSolver solver(csr_batch(CsrBatch{systems, n, row, col, val}));
  const BatchedResult result = solver.solve(b, x, {.rtol = 1e-8});
  if (!result.all_converged()) std::puts(describe(result).c_str());

  EXPECT_TRUE(result.all_converged());
  expect_solution(x);
}

TEST(SolversPage, SolvesManyRightHandSides) {
  constexpr std::int64_t count = 3;
  const CsrView view{n, row, col, values};
  const std::vector<double> b(count * n, 1.0);
  std::vector<double> x(count * n);

  BatchedSolver solver(shared_batch(csr_matrix(view), count),
                       {.preconditioner = Preconditioner::Jacobi});
  const BatchedResult result = solver.solve(b, x);

  EXPECT_TRUE(result.all_converged());
  expect_solution(x);
}

}  // namespace
