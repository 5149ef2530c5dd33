/// A matrix that couples the points of a grid with their neighbours.
///
/// Leaves out boundaries but the simplest: a neighbour outside the grid counts as 0 (Dirichlet).
#pragma once

#include "gyre/solvers/matrix.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gyre::solvers {

/// Points of a grid with one to three extents, numbered row-major, the last coordinate fastest; n,
/// their number, is less than 2^31. Row i has an entry for each of `offsets` (as many coordinates
/// as extents) that leads to a point of the grid, in this order. Its value is the offset's number
/// in `val`; or with n of them for each offset, number offset * n + i.
template <std::floating_point S>
struct BasicStencilView {
  std::vector<std::int64_t> extents;
  std::vector<std::vector<std::int32_t>> offsets;
  std::span<const S> val;
};

using StencilView = BasicStencilView<double>;
using StencilViewF32 = BasicStencilView<float>;

/// The point itself, then its neighbours along each axis: 3, 5 or 7 offsets for 1, 2 or 3 axes.
std::vector<std::vector<std::int32_t>> nearest_neighbours(std::size_t axes);

/// The matrix for a solver. The values stay the caller's and must outlive it; other values need no
/// new program, other offsets do. UsageError for what is no stencil.
std::shared_ptr<const Matrix> stencil_matrix(const StencilView& view);
std::shared_ptr<const Matrix> stencil_matrix(const StencilViewF32& view);

}  // namespace gyre::solvers
