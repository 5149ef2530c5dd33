/// Linear systems for the solvers' tests, and what to compare solvers with.
#pragma once

#include "gyre/io/csr_matrix.hpp"
#include "gyre/solvers/solver.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <span>
#include <utility>
#include <vector>

namespace gyre::solvers {

using Values = std::vector<double>;

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// For GoogleTest, which would print its byte.
inline void PrintTo(const Preconditioner& preconditioner, std::ostream* out) {
  *out << name_of(preconditioner);
}

inline CsrView view(const io::CsrMatrix& matrix) {
  return {matrix.rows, matrix.row, matrix.col, matrix.val};
}

/// The matrix with these rows, zeros left out.
inline io::CsrMatrix dense(const std::vector<Values>& rows) {
  io::Triplets triplets;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows[i].size(); ++j) {
      if (rows[i][j] == 0) continue;
      triplets.add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j), rows[i][j]);
    }
  }
  const auto n = static_cast<std::int64_t>(rows.size());
  return io::make_csr(n, n, triplets);
}

inline io::CsrMatrix diagonal(const Values& entries) {
  io::Triplets triplets;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    triplets.add(static_cast<std::int32_t>(i), static_cast<std::int32_t>(i), entries[i]);
  }
  const auto n = static_cast<std::int64_t>(entries.size());
  return io::make_csr(n, n, triplets);
}

/// 2.5 on the diagonal and −1 beside it: diagonally dominant.
inline io::CsrMatrix tridiagonal(std::int32_t n) {
  io::Triplets triplets;
  for (std::int32_t i = 0; i < n; ++i) {
    triplets.add(i, i, 2.5);
    if (i > 0) triplets.add(i, i - 1, -1);
    if (i + 1 < n) triplets.add(i, i + 1, -1);
  }
  return io::make_csr(n, n, triplets);
}

/// The five-point Laplacian of a square of `side` x `side` points, every second row and column
/// scaled by `contrast` so that Jacobi has something to do.
inline io::CsrMatrix laplacian(std::int32_t side, double contrast = 1) {
  io::Triplets triplets;
  const auto factor = [&](std::int32_t i) { return i % 2 == 0 ? 1.0 : contrast; };
  const auto add = [&](std::int32_t i, std::int32_t j, double v) {
    triplets.add(i, j, v * factor(i) * factor(j));
  };
  for (std::int32_t y = 0; y < side; ++y) {
    for (std::int32_t x = 0; x < side; ++x) {
      const std::int32_t i = y * side + x;
      add(i, i, 4);
      if (x > 0) add(i, i - 1, -1);
      if (x + 1 < side) add(i, i + 1, -1);
      if (y > 0) add(i, i - side, -1);
      if (y + 1 < side) add(i, i + side, -1);
    }
  }
  return io::make_csr(std::int64_t{side} * side, std::int64_t{side} * side, triplets);
}

inline double norm(const Values& v) {
  double sum = 0;
  for (const double one : v) sum += one * one;
  return std::sqrt(sum);
}

/// ‖b − A x‖ / ‖b‖, computed here.
inline double relative_residual(const io::CsrMatrix& matrix, const Values& b, const Values& x) {
  Values r = io::multiply(matrix, x);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  return norm(r) / norm(b);
}

/// One solve from x = 0 unless `x` holds a start, and the x that it leaves.
struct Solved {
  SolveResult result;
  Values x;
};

inline Solved solve(const io::CsrMatrix& matrix, const Values& b, const SolveOptions& options = {},
                    const SolverOptions& solver_options = {}, Values x = {}) {
  x.resize(b.size(), 0.0);
  Solver solver(view(matrix), solver_options);
  auto result = solver.solve(b, x, options);
  return {std::move(result), std::move(x)};
}

/// The same in f32: matrix, b and x.
struct SolvedF32 {
  SolveResult result;
  std::vector<float> x;
};

inline SolvedF32 solve_f32(const io::CsrMatrix& matrix, const Values& b,
                           const SolveOptions& options = {},
                           const SolverOptions& solver_options = {}) {
  const std::vector<float> val(matrix.val.begin(), matrix.val.end());
  const std::vector<float> rhs(b.begin(), b.end());
  std::vector<float> x(b.size(), 0.0F);
  Solver solver(CsrViewF32{matrix.rows, matrix.row, matrix.col, val}, solver_options);
  auto result = solver.solve(rhs, x, options);
  return {std::move(result), std::move(x)};
}

/// Solves from 0 with b and x of X, which is what the matrix is of; x is left in f64.
template <class X>
SolveResult solve_with(std::shared_ptr<const Matrix> matrix, const Values& b, Values& x,
                       const SolverOptions& options, double rtol) {
  const std::vector<X> rhs(b.begin(), b.end());
  std::vector<X> solution(b.size(), 0);
  Solver solver(std::move(matrix), options);
  const auto result = solver.solve(std::span<const X>(rhs), std::span<X>(solution), {.rtol = rtol});
  x.assign(solution.begin(), solution.end());
  return result;
}

inline SolverOptions with_jacobi() {
  return {.preconditioner = Preconditioner::Jacobi};
}

}  // namespace gyre::solvers
