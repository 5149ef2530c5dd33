// A thousand small systems at once: each stops by itself, and one that cannot be solved disturbs
// none.
#include <gyre/solvers/batched_solver.hpp>

#include <cstdio>
#include <vector>

using namespace gyre::solvers;

int main() {
  // An implicit step of heat in rods of 40 points, each of a conductivity of its own: the matrices
  // have entries at the same places, which are told once.
  const std::int64_t rods = 1000;
  const std::int32_t n = 40;
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;
  for (std::int32_t i = 0; i < n; ++i) {
    for (const std::int32_t j : {i - 1, i, i + 1}) {
      if (j >= 0 && j < n) col.push_back(j);
    }
    row.push_back(static_cast<std::int32_t>(col.size()));
  }
  std::vector<double> val;
  std::vector<double> before;
  for (std::int64_t rod = 0; rod < rods; ++rod) {
    // The last one's is negative, as if it had been measured wrong.
    const double conductivity = rod + 1 < rods ? 0.01 * static_cast<double>(rod * rod) / 100 : -9;
    for (std::int32_t i = 0; i < n; ++i) {
      for (const std::int32_t j : {i - 1, i, i + 1}) {
        if (j >= 0 && j < n) val.push_back(i == j ? 1 + 2 * conductivity : -conductivity);
      }
      before.push_back(i < n / 2 ? 1.0 : 0.0);
    }
  }

  BatchedSolver solver(csr_batch(CsrBatch{rods, n, row, col, val}),
                       {.preconditioner = Preconditioner::Jacobi});
  std::vector<double> after = before;
  const BatchedResult result = solver.solve(before, after, {.rtol = 1e-10});

  for (const std::int64_t rod : {0, 10, 500, 999}) {
    const SolveResult one = result.of(rod);
    std::printf("rod %3lld: %2lld trips, ||b - A x|| / ||b|| = %.1e: %s\n",
                static_cast<long long>(rod), static_cast<long long>(one.iterations),
                one.relative_residual, describe(one).c_str());
  }
  std::printf("%s\n", describe(result).c_str());
  return result.converged() == rods - 1 && result.reasons.back() == Reason::Indefinite ? 0 : 1;
}
