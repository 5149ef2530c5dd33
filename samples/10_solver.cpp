// Linear solvers: one matrix as a stencil, another method for each line, and why each one ended.
#include <gyre/solvers/methods.hpp>
#include <gyre/solvers/solver.hpp>
#include <gyre/solvers/stencil_matrix.hpp>

#include <cstdio>
#include <string>
#include <vector>

using namespace gyre::solvers;

int main() {
  // −Δu = 1 on a square with u = 0 on its edge. Nothing of the matrix is stored but five numbers.
  const std::int64_t side = 64;
  const std::vector<double> five_points = {4, -1, -1, -1, -1};
  const auto matrix = stencil_matrix(StencilView{{side, side}, nearest_neighbours(2), five_points});
  const std::vector<double> b(side * side, 1.0 / (side * side));

  bool all_converged = true;
  for (const char* method : {"cg", "minres", "bicgstab", "gmres"}) {
    Solver solver(method, matrix, {.preconditioner = Preconditioner::Chebyshev});
    std::vector<double> u(b.size(), 0.0);
    const SolveResult result = solver.solve(b, u, {.rtol = 1e-8});

    std::printf("%-9s %4lld trips, ||b - A x|| / ||b|| = %.1e: %s\n", method,
                static_cast<long long>(result.iterations), result.relative_residual,
                describe(result).c_str());
    all_converged = all_converged && is_converged(result.reason);
  }
  return all_converged ? 0 : 1;
}
