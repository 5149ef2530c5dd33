/// Solvers past what floats count: 2^24 and one rows, in f32.
#include "gyre/solvers/solver.hpp"
#include "gyre/solvers/stencil_matrix.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

TEST(SolverLimits, MoreRowsThanAnF32CountsAreSolvedToTheLast) {
  constexpr std::int64_t n = 16'777'217;
  const std::vector<float> two = {2};
  const auto matrix = stencil_matrix(StencilViewF32{{n}, {{0}}, two});
  std::vector<float> b(n, 4);
  b.back() = 6;
  std::vector<float> x(n, 0);
  Solver solver("cg", matrix);

  const auto result = solver.solve(b, x, {.rtol = 1e-6});

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_EQ(result.iterations, 1);
  EXPECT_EQ(x.front(), 2);
  EXPECT_EQ(x[n / 2], 2);
  EXPECT_EQ(x.back(), 3);
}

}  // namespace
}  // namespace gyre::solvers
