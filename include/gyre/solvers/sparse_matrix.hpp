/// Sparse matrices as set-up on the host makes them: owned, of any shape, and their products.
///
/// Leaves out matrices that a solver borrows, and everything that runs in programs.
#pragma once

#include <cstdint>
#include <vector>

namespace gyre::solvers {

/// `rows` x `columns` in compressed rows: row i holds the entries row[i] .. row[i + 1] of `col` and
/// `val`, with ascending columns, each once.
struct SparseMatrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col = {};
  std::vector<double> val = {};

  std::int64_t entries() const { return static_cast<std::int64_t>(col.size()); }
};

/// `a`, whose rows may have their columns in any order and more than once, as a SparseMatrix:
/// entries of one place become their sum, in the order in which they stand.
SparseMatrix sorted(const SparseMatrix& a);

/// Aᵀ.
SparseMatrix transpose(const SparseMatrix& a);

/// A B, by rows with an accumulator as long as a row of B (F. G. Gustavson, "Two fast algorithms
/// for sparse matrices", 1978). UsageError where their shapes do not fit, or the product has more
/// entries than an i32 counts.
SparseMatrix multiply(const SparseMatrix& a, const SparseMatrix& b);

/// a_ii; 0 where it is not stored.
std::vector<double> diagonal_of(const SparseMatrix& a);

}  // namespace gyre::solvers
