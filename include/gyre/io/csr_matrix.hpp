/// A sparse matrix in compressed rows, as solvers and programs read it, and what a solver asks of
/// one before it starts.
///
/// Leaves out files (matrix_market.hpp) and anything that solves: `multiply` is the serial
/// reference that residuals are checked with, not a fast product.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gyre::io {

/// `rows` x `cols`; row i holds the entries row[i] .. row[i + 1] of `col` and `val`, columns
/// ascending and each at most once. A stored zero is an entry like any other.
struct CsrMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;
  std::vector<double> val;

  std::int64_t entries() const { return static_cast<std::int64_t>(col.size()); }
};

/// Entries in any order, indices from 0; entry k is val[k] at (row[k], col[k]).
struct Triplets {
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> col;
  std::vector<double> val;

  void add(std::int32_t i, std::int32_t j, double v) {
    row.push_back(i);
    col.push_back(j);
    val.push_back(v);
  }
};

/// The matrix of `triplets`: columns sorted within a row, entries of one place summed in the order
/// they stand. Throws UsageError for an index outside `rows` x `cols`, and where the size or the
/// number of entries does not fit the 32-bit indices (2^31 and more).
CsrMatrix make_csr(std::int64_t rows, std::int64_t cols, const Triplets& triplets);

/// Throws UsageError unless `matrix` is what CsrMatrix says it is; for matrices from outside.
void verify_csr(const CsrMatrix& matrix);

/// The transpose, in O(rows + cols + entries).
CsrMatrix transpose(const CsrMatrix& matrix);

/// Whether |a_ij - a_ji| <= rtol * max(|a_ij|, |a_ji|) everywhere; an entry that is not stored is
/// 0, any NaN equals any NaN. A matrix that is not square is not symmetric.
bool is_symmetric(const CsrMatrix& matrix, double rtol = 0);

/// The first row (from 0) whose diagonal entry is missing or 0: Jacobi cannot divide by it. Rows
/// past the last column have no diagonal.
std::optional<std::int64_t> row_without_diagonal(const CsrMatrix& matrix);

/// The first row (from 0) that holds no entry other than 0: the matrix is singular.
std::optional<std::int64_t> empty_row(const CsrMatrix& matrix);

/// A x, each row summed from left to right. `x` has `cols` values (else UsageError), the result
/// `rows`.
std::vector<double> multiply(const CsrMatrix& matrix, std::span<const double> x);

}  // namespace gyre::io
