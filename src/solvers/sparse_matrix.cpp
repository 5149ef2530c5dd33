#include "gyre/solvers/sparse_matrix.hpp"

#include "at.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace gyre::solvers {
namespace {

std::string shape_of(const SparseMatrix& a) {
  return std::to_string(a.rows) + " x " + std::to_string(a.columns);
}

}  // namespace

SparseMatrix transpose(const SparseMatrix& a) {
  SparseMatrix t{.rows = a.columns, .columns = a.rows, .row = {}};
  t.row.assign(at(a.columns) + 1, 0);
  for (const std::int32_t column : a.col) ++t.row[at(column) + 1];
  for (std::size_t i = 1; i < t.row.size(); ++i) t.row[i] += t.row[i - 1];
  t.col.resize(a.col.size());
  t.val.resize(a.val.size());
  std::vector<std::int32_t> next(t.row.begin(), t.row.end() - 1);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int32_t k = a.row[at(i)]; k < a.row[at(i + 1)]; ++k) {
      const std::size_t place = at(next[at(a.col[at(k)])]++);
      t.col[place] = static_cast<std::int32_t>(i);
      t.val[place] = a.val[at(k)];
    }
  }
  return t;
}

SparseMatrix sorted(const SparseMatrix& a) {
  // Rows of the transpose come in their order, and so do theirs.
  const SparseMatrix in_order = transpose(transpose(a));
  SparseMatrix made{.rows = a.rows, .columns = a.columns};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    const std::size_t begin = made.col.size();
    for (std::int32_t k = in_order.row[at(i)]; k < in_order.row[at(i + 1)]; ++k) {
      const std::int32_t column = in_order.col[at(k)];
      if (made.col.size() > begin && made.col.back() == column) {
        made.val.back() += in_order.val[at(k)];
        continue;
      }
      made.col.push_back(column);
      made.val.push_back(in_order.val[at(k)]);
    }
    made.row.push_back(static_cast<std::int32_t>(made.col.size()));
  }
  return made;
}

SparseMatrix multiply(const SparseMatrix& a, const SparseMatrix& b) {
  if (a.columns != b.rows) {
    throw UsageError("a matrix of " + shape_of(a) + " has no product with one of " + shape_of(b));
  }
  SparseMatrix c{.rows = a.rows, .columns = b.columns};
  c.row.reserve(at(a.rows) + 1);
  // Sums of the row at hand, and the last row that has touched each.
  std::vector<double> sums(at(b.columns));
  std::vector<std::int64_t> touched(at(b.columns), -1);
  std::vector<std::int32_t> columns;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    columns.clear();
    for (std::int32_t k = a.row[at(i)]; k < a.row[at(i + 1)]; ++k) {
      const std::size_t inner = at(a.col[at(k)]);
      for (std::int32_t l = b.row[inner]; l < b.row[inner + 1]; ++l) {
        const std::int32_t column = b.col[at(l)];
        const double term = a.val[at(k)] * b.val[at(l)];
        if (touched[at(column)] == i) {
          sums[at(column)] += term;
        } else {
          touched[at(column)] = i;
          sums[at(column)] = term;
          columns.push_back(column);
        }
      }
    }
    std::sort(columns.begin(), columns.end());
    if (c.col.size() + columns.size() > at(std::numeric_limits<std::int32_t>::max())) {
      throw UsageError("a product of " + shape_of(a) + " and " + shape_of(b) +
                       " has more entries than an i32 counts");
    }
    for (const std::int32_t column : columns) {
      c.col.push_back(column);
      c.val.push_back(sums[at(column)]);
    }
    c.row.push_back(static_cast<std::int32_t>(c.col.size()));
  }
  return c;
}

std::vector<double> diagonal_of(const SparseMatrix& a) {
  std::vector<double> diagonal(at(a.rows));
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int32_t k = a.row[at(i)]; k < a.row[at(i + 1)]; ++k) {
      if (a.col[at(k)] == i) diagonal[at(i)] += a.val[at(k)];
    }
  }
  return diagonal;
}

}  // namespace gyre::solvers
