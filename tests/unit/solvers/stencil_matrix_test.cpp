#include "gyre/solvers/stencil_matrix.hpp"

#include "systems.hpp"
#include "textbook.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

// The seven-point matrix of a box, in compressed rows.
io::CsrMatrix box(std::int32_t nz, std::int32_t ny, std::int32_t nx) {
  io::Triplets triplets;
  for (std::int32_t z = 0; z < nz; ++z) {
    for (std::int32_t y = 0; y < ny; ++y) {
      for (std::int32_t x = 0; x < nx; ++x) {
        const std::int32_t i = (z * ny + y) * nx + x;
        triplets.add(i, i, 7);
        if (z > 0) triplets.add(i, i - ny * nx, -1);
        if (z + 1 < nz) triplets.add(i, i + ny * nx, -1.5);
        if (y > 0) triplets.add(i, i - nx, -1);
        if (y + 1 < ny) triplets.add(i, i + nx, -1);
        if (x > 0) triplets.add(i, i - 1, -0.5);
        if (x + 1 < nx) triplets.add(i, i + 1, -1);
      }
    }
  }
  return io::make_csr(nz * ny * nx, nz * ny * nx, triplets);
}

TEST(Stencil, OfThreeAxesIsTheMatrixOfABox) {
  const auto csr = box(4, 3, 5);
  const Values b = random_values(60);
  const std::vector<double> val = {7, -1, -1.5, -1, -1, -0.5, -1};
  Values x;

  const auto result =
      solve_with<double>(stencil_matrix(StencilView{{4, 3, 5}, nearest_neighbours(3), val}), b, x,
                         {.method = "bicgstab"}, 1e-10);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_LT(relative_residual(csr, b, x), 1.001e-10);
}

// Values of each point's own: those that lead outside count as nothing.
TEST(Stencil, OfThreeAxesWithVaryingValuesIsItsMatrix) {
  const std::vector<std::int64_t> extents = {4, 3, 5};
  const auto offsets = nearest_neighbours(3);
  constexpr std::int64_t n = 60;
  const Values random = random_values(7 * 60);
  io::Triplets triplets;
  for (std::size_t o = 0; o < offsets.size(); ++o) {
    for (std::int64_t i = 0; i < n; ++i) {
      const std::int64_t at[3] = {i / 15, i / 5 % 3, i % 5};
      std::int64_t j = 0;
      bool is_inside = true;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t there = at[axis] + offsets[o][axis];
        is_inside = is_inside && 0 <= there && there < extents[axis];
        j = j * extents[axis] + there;
      }
      const double value = random[o * 60 + static_cast<std::size_t>(i)] + (o == 0 ? 7 : 0);
      if (is_inside) {
        triplets.add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), value);
      }
    }
  }
  const auto csr = io::make_csr(n, n, triplets);
  Values val = random;
  for (std::size_t i = 0; i < 60; ++i) val[i] += 7;
  const std::vector<float> low_val(val.begin(), val.end());
  const Values b = random_values(60);
  for (const auto* method : {"bicgstab", "gmres", "jacobi"}) {
    Values x;
    Values low;
    const SolverOptions options = {.method = method};

    const auto result = solve_with<double>(stencil_matrix(StencilView{extents, offsets, val}), b, x,
                                           options, 1e-10);
    const auto in_f32 = solve_with<float>(stencil_matrix(StencilViewF32{extents, offsets, low_val}),
                                          b, low, options, 1e-5);

    EXPECT_EQ(result.reason, Reason::ConvergedRtol) << method;
    EXPECT_LT(relative_residual(csr, b, x), 1.001e-10) << method;
    EXPECT_EQ(in_f32.reason, Reason::ConvergedRtol) << method;
    EXPECT_LT(relative_residual(csr, b, low), 1.1e-5) << method;
  }
}

TEST(Stencil, OfOneAxisWithAFarNeighbour) {
  const auto csr = dense({{3, 0, 1, 0}, {0, 3, 0, 1}, {0, 0, 3, 0}, {0, 0, 0, 3}});
  const std::vector<double> val = {3, 1};
  Values x;

  const auto result = solve_with<double>(stencil_matrix(StencilView{{4}, {{0}, {2}}, val}),
                                         {1, 2, 3, 4}, x, {.method = "gmres"}, 1e-12);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_LT(relative_residual(csr, {1, 2, 3, 4}, x), 1e-12);
}

}  // namespace
}  // namespace gyre::solvers
