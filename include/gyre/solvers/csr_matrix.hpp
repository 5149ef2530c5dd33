/// A square sparse matrix in compressed rows.
///
/// Leaves out storage and files: any three arrays will do.
#pragma once

#include "gyre/solvers/matrix.hpp"

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>

namespace gyre::solvers {

/// `n` x `n`; row i holds the entries row[i] .. row[i + 1] of `col` and `val`, columns in any
/// order. Entries of one place count as their sum.
template <std::floating_point S>
struct BasicCsrView {
  std::int64_t n = 0;
  std::span<const std::int32_t> row;
  std::span<const std::int32_t> col;
  std::span<const S> val;

  std::int64_t entries() const { return static_cast<std::int64_t>(col.size()); }
};

using CsrView = BasicCsrView<double>;
using CsrViewF32 = BasicCsrView<float>;

/// Throws UsageError unless `matrix` is what BasicCsrView says: n + 1 ascending row starts, as many
/// values as columns, every column within 0 .. n.
template <std::floating_point S>
void verify_csr_view(const BasicCsrView<S>& matrix);

/// The matrix for a solver. The arrays stay the caller's and must outlive it. UsageError where
/// they are no matrix; of trusted ones, whose arrays may lie on the device, only the lengths are
/// looked at.
std::shared_ptr<const Matrix> csr_matrix(const CsrView& view, Contents contents = Contents::Verify);
std::shared_ptr<const Matrix> csr_matrix(const CsrViewF32& view,
                                         Contents contents = Contents::Verify);

}  // namespace gyre::solvers
