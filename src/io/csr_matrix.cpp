#include "gyre/io/csr_matrix.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>

namespace gyre::io {

namespace {

constexpr std::int64_t index_limit = std::numeric_limits<std::int32_t>::max();

// row[i] becomes the first entry of row i, from counts that stand one place to the right.
void counts_to_offsets(std::vector<std::int32_t>& row) {
  for (std::size_t i = 1; i < row.size(); ++i) row[i] += row[i - 1];
}

void check_size(std::int64_t rows, std::int64_t cols, std::size_t entries) {
  if (rows < 0 || cols < 0) throw UsageError("a matrix cannot have a negative size");
  if (rows > index_limit || cols > index_limit || entries > static_cast<std::size_t>(index_limit)) {
    throw UsageError("a matrix of " + std::to_string(rows) + " x " + std::to_string(cols) +
                     " with " + std::to_string(entries) +
                     " entries is too large: sparse indices have 32 bits, so rows, columns and "
                     "entries must each stay below 2147483648");
  }
}

// Sorts the entries of one row by column, keeping the order of those that share one.
void sort_row(std::span<std::int32_t> col, std::span<double> val,
              std::vector<std::pair<std::int32_t, double>>& scratch) {
  if (std::is_sorted(col.begin(), col.end())) return;
  scratch.clear();
  for (std::size_t k = 0; k < col.size(); ++k) scratch.emplace_back(col[k], val[k]);
  std::stable_sort(scratch.begin(), scratch.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t k = 0; k < col.size(); ++k) std::tie(col[k], val[k]) = scratch[k];
}

// Rows are sorted here; entries of one place become their sum, and the arrays shrink.
void sum_duplicates(CsrMatrix& matrix) {
  std::int32_t kept = 0;
  std::int32_t first = 0;
  for (std::size_t i = 0; i + 1 < matrix.row.size(); ++i) {
    const std::int32_t last = matrix.row[i + 1];
    const std::int32_t row_start = kept;
    for (std::int32_t k = first; k < last; ++k) {
      if (kept > row_start && matrix.col[kept - 1] == matrix.col[k]) {
        matrix.val[kept - 1] += matrix.val[k];
      } else {
        matrix.col[kept] = matrix.col[k];
        matrix.val[kept] = matrix.val[k];
        ++kept;
      }
    }
    first = last;
    matrix.row[i + 1] = kept;
  }
  matrix.col.resize(static_cast<std::size_t>(kept));
  matrix.val.resize(static_cast<std::size_t>(kept));
}

bool nearly_equal(double a, double b, double rtol) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::abs(a - b) <= rtol * std::max(std::abs(a), std::abs(b));
}

// Walks row i of both matrices side by side; a place only one of them stores counts as 0 there.
bool rows_nearly_equal(const CsrMatrix& a, const CsrMatrix& b, std::size_t i, double rtol) {
  std::int32_t ka = a.row[i];
  std::int32_t kb = b.row[i];
  while (ka < a.row[i + 1] || kb < b.row[i + 1]) {
    const std::int32_t ca = ka < a.row[i + 1] ? a.col[ka] : std::numeric_limits<int>::max();
    const std::int32_t cb = kb < b.row[i + 1] ? b.col[kb] : std::numeric_limits<int>::max();
    const double va = ca <= cb ? a.val[ka++] : 0.0;
    const double vb = cb <= ca ? b.val[kb++] : 0.0;
    if (!nearly_equal(va, vb, rtol)) return false;
  }
  return true;
}

}  // namespace

CsrMatrix make_csr(std::int64_t rows, std::int64_t cols, const Triplets& triplets) {
  const std::size_t entries = triplets.val.size();
  check_size(rows, cols, entries);
  if (triplets.row.size() != entries || triplets.col.size() != entries) {
    throw UsageError("the three arrays of a triplet list must have one length");
  }
  CsrMatrix matrix{.rows = rows, .cols = cols, .row = {}, .col = {}, .val = {}};
  matrix.row.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (std::size_t k = 0; k < entries; ++k) {
    const auto i = triplets.row[k];
    const auto j = triplets.col[k];
    if (i < 0 || i >= rows || j < 0 || j >= cols) {
      throw UsageError("entry (" + std::to_string(i) + ", " + std::to_string(j) +
                       ") lies outside a matrix of " + std::to_string(rows) + " x " +
                       std::to_string(cols));
    }
    ++matrix.row[static_cast<std::size_t>(i) + 1];
  }
  counts_to_offsets(matrix.row);

  matrix.col.resize(entries);
  matrix.val.resize(entries);
  std::vector<std::int32_t> next(matrix.row.begin(), matrix.row.end() - 1);
  for (std::size_t k = 0; k < entries; ++k) {
    const std::int32_t at = next[triplets.row[k]]++;
    matrix.col[at] = triplets.col[k];
    matrix.val[at] = triplets.val[k];
  }
  std::vector<std::pair<std::int32_t, double>> scratch;
  for (std::size_t i = 0; i + 1 < matrix.row.size(); ++i) {
    const auto first = static_cast<std::size_t>(matrix.row[i]);
    const auto count = static_cast<std::size_t>(matrix.row[i + 1]) - first;
    sort_row(std::span(matrix.col).subspan(first, count),
             std::span(matrix.val).subspan(first, count), scratch);
  }
  sum_duplicates(matrix);
  return matrix;
}

void verify_csr(const CsrMatrix& matrix) {
  check_size(matrix.rows, matrix.cols, matrix.col.size());
  if (matrix.row.size() != static_cast<std::size_t>(matrix.rows) + 1 || matrix.row[0] != 0 ||
      matrix.row.back() != matrix.entries() || matrix.val.size() != matrix.col.size()) {
    throw UsageError(
        "a CSR matrix needs rows + 1 row offsets from 0 to the number of entries, "
        "and as many values as columns");
  }
  for (std::size_t i = 0; i + 1 < matrix.row.size(); ++i) {
    if (matrix.row[i] > matrix.row[i + 1] || matrix.row[i + 1] > matrix.entries()) {
      throw UsageError("the row offsets of a CSR matrix must ascend; row " + std::to_string(i) +
                       " (from 0) does not");
    }
    for (std::int32_t k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      const bool ascends = k == matrix.row[i] || matrix.col[k - 1] < matrix.col[k];
      if (!ascends || matrix.col[k] < 0 || matrix.col[k] >= matrix.cols) {
        throw UsageError("the columns of row " + std::to_string(i) +
                         " (from 0) of a CSR matrix must ascend and lie within its " +
                         std::to_string(matrix.cols) + " columns");
      }
    }
  }
}

CsrMatrix transpose(const CsrMatrix& matrix) {
  CsrMatrix result{.rows = matrix.cols, .cols = matrix.rows, .row = {}, .col = {}, .val = {}};
  result.row.assign(static_cast<std::size_t>(matrix.cols) + 1, 0);
  for (const auto j : matrix.col) ++result.row[static_cast<std::size_t>(j) + 1];
  counts_to_offsets(result.row);
  result.col.resize(matrix.col.size());
  result.val.resize(matrix.val.size());
  std::vector<std::int32_t> next(result.row.begin(), result.row.end() - 1);
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (std::int32_t k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      const std::int32_t at = next[matrix.col[k]]++;
      result.col[at] = static_cast<std::int32_t>(i);
      result.val[at] = matrix.val[k];
    }
  }
  return result;
}

bool is_symmetric(const CsrMatrix& matrix, double rtol) {
  if (matrix.rows != matrix.cols) return false;
  const CsrMatrix mirrored = transpose(matrix);
  for (std::size_t i = 0; i + 1 < matrix.row.size(); ++i) {
    if (!rows_nearly_equal(matrix, mirrored, i, rtol)) return false;
  }
  return true;
}

std::optional<std::int64_t> row_without_diagonal(const CsrMatrix& matrix) {
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const auto first = matrix.col.begin() + matrix.row[i];
    const auto last = matrix.col.begin() + matrix.row[i + 1];
    const auto found = std::lower_bound(first, last, i);
    if (found == last || *found != i || matrix.val[found - matrix.col.begin()] == 0) return i;
  }
  return std::nullopt;
}

std::optional<std::int64_t> empty_row(const CsrMatrix& matrix) {
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const auto first = matrix.val.begin() + matrix.row[i];
    const auto last = matrix.val.begin() + matrix.row[i + 1];
    if (std::all_of(first, last, [](double v) { return v == 0; })) return i;
  }
  return std::nullopt;
}

std::vector<double> multiply(const CsrMatrix& matrix, std::span<const double> x) {
  if (static_cast<std::int64_t>(x.size()) != matrix.cols) {
    throw UsageError("a matrix of " + std::to_string(matrix.cols) +
                     " columns cannot be multiplied with a vector of " + std::to_string(x.size()));
  }
  std::vector<double> y(static_cast<std::size_t>(matrix.rows));
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    double sum = 0;
    for (std::int32_t k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      sum += matrix.val[k] * x[matrix.col[k]];
    }
    y[i] = sum;
  }
  return y;
}

}  // namespace gyre::io
