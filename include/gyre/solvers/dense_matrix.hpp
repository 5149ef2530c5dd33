/// A square matrix of which every entry is stored.
#pragma once

#include "gyre/solvers/matrix.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>

namespace gyre::solvers {

/// `n` x `n` values, row by row.
template <std::floating_point S>
struct BasicDenseView {
  std::int64_t n = 0;
  std::span<const S> val;
};

using DenseView = BasicDenseView<double>;
using DenseViewF32 = BasicDenseView<float>;

/// The matrix for a solver. The values stay the caller's and must outlive it. UsageError where
/// they are not n².
std::shared_ptr<const Matrix> dense_matrix(const DenseView& view);
std::shared_ptr<const Matrix> dense_matrix(const DenseViewF32& view);

}  // namespace gyre::solvers
