/// A square sparse matrix in slices of rows, each with room for its longest row (sliced ELLPACK,
/// SELL-C-σ).
///
/// Within a slice entry k of all rows lies together, as in ELLPACK, but a long row widens its own
/// slice alone. Rows may be sorted by length within windows, so that those of a slice are of one
/// length; b and x stay in their order. M. Kreutzer, G. Hager, G. Wellein, H. Fehske, A. R. Bishop,
/// "A unified sparse matrix data format for efficient general sparse matrix-vector multiplication",
/// SIAM J. Sci. Comput. 36, 2014.
#pragma once

#include "gyre/solvers/csr_matrix.hpp"
#include "gyre/solvers/matrix.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gyre::solvers {

/// `n` x `n`. Row i has `length[i]` entries and stands in place p = `place[i]`, or p = i where
/// `place` is empty. Its entry k is number slice[s] + k * slice_rows + p % slice_rows of `col` and
/// `val`, where s = p / slice_rows is its slice; `slice` ends with their number. Numbers that are
/// no row's are never read.
template <std::floating_point S>
struct BasicSellView {
  std::int64_t n = 0;
  std::int64_t slice_rows = 32;
  std::span<const std::int32_t> slice;
  std::span<const std::int32_t> length;
  std::span<const std::int32_t> place;
  std::span<const std::int32_t> col;
  std::span<const S> val;
};

using SellView = BasicSellView<double>;
using SellViewF32 = BasicSellView<float>;

/// The same as arrays that it owns.
template <std::floating_point S>
struct SellArrays {
  std::int64_t n = 0;
  std::int64_t slice_rows = 32;
  std::vector<std::int32_t> slice;
  std::vector<std::int32_t> length;
  std::vector<std::int32_t> place;
  std::vector<std::int32_t> col;
  std::vector<S> val;

  BasicSellView<S> view() const { return {n, slice_rows, slice, length, place, col, val}; }
};

struct SellOptions {
  /// C, from 1 on; best that of a warp.
  std::int64_t slice_rows = 32;
  /// σ: rows are sorted by length, longest first, within windows of so many; 1 leaves them in
  /// order.
  std::int64_t window = 1;
};

/// UsageError where it would have 2^31 numbers or more.
SellArrays<double> make_sell(const CsrView& matrix, const SellOptions& options = {});
SellArrays<float> make_sell(const CsrViewF32& matrix, const SellOptions& options = {});

/// The matrix for a solver, which gives the bits of the same rows in csr_matrix. The arrays stay
/// the caller's and must outlive it. UsageError where they are no matrix; of trusted ones, whose
/// arrays may lie on the device, only the lengths are looked at.
std::shared_ptr<const Matrix> sell_matrix(const SellView& view,
                                          Contents contents = Contents::Verify);
std::shared_ptr<const Matrix> sell_matrix(const SellViewF32& view,
                                          Contents contents = Contents::Verify);

}  // namespace gyre::solvers
