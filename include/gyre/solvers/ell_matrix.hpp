/// A square sparse matrix in which every row has room for as many entries (ELLPACK).
///
/// Entry k of all rows lies together, so that neighbouring rows read neighbouring memory: on a GPU
/// the fastest form for rows of about one length. Leaves out conversions from other forms, but for
/// the one from CSR.
#pragma once

#include "gyre/solvers/csr_matrix.hpp"
#include "gyre/solvers/matrix.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gyre::solvers {

/// `n` x `n`, up to `width` entries a row: entry k of row i stands at [k * n + i] of `col` and
/// `val`. A column of -1 is no entry, and its value is 0: it is multiplied all the same, since a
/// product by nothing costs less than the question.
template <std::floating_point S>
struct BasicEllView {
  std::int64_t n = 0;
  std::int64_t width = 0;
  std::span<const std::int32_t> col;
  std::span<const S> val;
};

using EllView = BasicEllView<double>;
using EllViewF32 = BasicEllView<float>;

/// The same as arrays that it owns.
template <std::floating_point S>
struct EllArrays {
  std::int64_t n = 0;
  std::int64_t width = 0;
  std::vector<std::int32_t> col;
  std::vector<S> val;

  BasicEllView<S> view() const { return {n, width, col, val}; }
};

/// As wide as the longest row of `matrix`.
EllArrays<double> make_ell(const CsrView& matrix);
EllArrays<float> make_ell(const CsrViewF32& matrix);

/// The matrix for a solver. The arrays stay the caller's and must outlive it. UsageError where
/// they are no matrix.
std::shared_ptr<const Matrix> ell_matrix(const EllView& view);
std::shared_ptr<const Matrix> ell_matrix(const EllViewF32& view);

}  // namespace gyre::solvers
