/// A square sparse matrix in compressed rows, as a solver borrows it from its owner.
///
/// Leaves out storage and files: any three arrays will do.
#pragma once

#include <cstdint>
#include <span>

namespace gyre::solvers {

/// `n` x `n`; row i holds the entries row[i] .. row[i + 1] of `col` and `val`, columns in any
/// order. Entries of one place count as their sum.
struct CsrView {
  std::int64_t n = 0;
  std::span<const std::int32_t> row;
  std::span<const std::int32_t> col;
  std::span<const double> val;

  std::int64_t entries() const { return static_cast<std::int64_t>(col.size()); }
};

/// Throws UsageError unless `matrix` is what CsrView says: n + 1 ascending row starts, as many
/// values as columns, every column within 0 .. n.
void verify_csr_view(const CsrView& matrix);

}  // namespace gyre::solvers
