/// Incomplete factors without fill for their tests: matrices to factor, and one application.
#pragma once

#include "systems.hpp"

#include <cstddef>
#include <cstdint>
#include <random>

namespace gyre::solvers {

using Dense = std::vector<Values>;

inline const SolverOptions ilu = {.preconditioner = Preconditioner::Ilu0};
inline const SolverOptions ic = {.preconditioner = Preconditioner::Ic0};

/// All entries, row by row; those that stand twice are summed.
inline Dense full(const io::CsrMatrix& matrix) {
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

/// M⁻¹ b: one trip of Richardson's iteration from 0.
inline Values applied(const io::CsrMatrix& matrix, const Values& b, SolverOptions options) {
  options.method = "richardson";
  return solve(matrix, b, {.rtol = 0, .max_trips = 1}, options).x;
}

/// Far from symmetric, with a diagonal that keeps pivots away from 0.
inline io::CsrMatrix scattered(std::int32_t n, int others) {
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

/// A + Aᵀ + 8 I.
inline io::CsrMatrix symmetric(const io::CsrMatrix& matrix) {
  Dense sum = full(matrix);
  const Dense other = full(io::transpose(matrix));
  for (std::size_t i = 0; i < sum.size(); ++i) {
    for (std::size_t j = 0; j < sum.size(); ++j) sum[i][j] += other[i][j];
    sum[i][i] += 8;
  }
  return dense(sum);
}

}  // namespace gyre::solvers
