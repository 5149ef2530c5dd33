#include "gyre/solvers/smoothed_aggregation.hpp"

#include "at.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace gyre::solvers {
namespace {

std::vector<double> inverse_diagonal_of(const SparseMatrix& a) {
  std::vector<double> diagonal = diagonal_of(a);
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    // Written so that a NaN is refused too.
    if (!(diagonal[i] > 0)) {
      throw UsageError("row " + std::to_string(i + 1) +
                       " has no positive diagonal entry, so that the matrix is not positive "
                       "definite");
    }
    diagonal[i] = 1 / diagonal[i];
  }
  return diagonal;
}

/// A without the couplings that are weak, which are added to the diagonal: its row sums stay.
SparseMatrix strong_part(const SparseMatrix& a, const std::vector<double>& inverse_diagonal,
                         double strength) {
  SparseMatrix strong{.rows = a.rows, .columns = a.columns};
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double lumped = 0;
    std::size_t diagonal = 0;
    for (std::int32_t k = a.row[at(i)]; k < a.row[at(i + 1)]; ++k) {
      const std::int32_t j = a.col[at(k)];
      const double entry = a.val[at(k)];
      const bool is_strong =
          entry * entry * inverse_diagonal[at(i)] * inverse_diagonal[at(j)] > strength * strength;
      if (j != i && !is_strong) {
        lumped += entry;
        continue;
      }
      if (j == i) diagonal = strong.col.size();
      strong.col.push_back(j);
      strong.val.push_back(entry);
    }
    // A row that is dominated by what is weak keeps its own diagonal.
    if (strong.val[diagonal] + lumped > 0) strong.val[diagonal] += lumped;
    strong.row.push_back(static_cast<std::int32_t>(strong.col.size()));
  }
  return strong;
}

/// Which aggregate each row belongs to.
struct Aggregates {
  static constexpr std::int32_t none = -1;

  std::vector<std::int32_t> of_row;
  std::int32_t count = 0;
};

template <class Visit>
void for_each_neighbour(const SparseMatrix& strong, std::int64_t i, Visit visit) {
  for (std::int32_t k = strong.row[at(i)]; k < strong.row[at(i + 1)]; ++k) {
    if (strong.col[at(k)] != i) visit(strong.col[at(k)], strong.val[at(k)]);
  }
}

// First whole neighbourhoods that touch no other aggregate; then what is left joins the aggregate
// that it is coupled to most; and what is coupled to none makes some of its own.
Aggregates aggregates_of(const SparseMatrix& strong) {
  Aggregates made{std::vector<std::int32_t>(at(strong.rows), Aggregates::none)};
  const auto is_free = [&](std::int64_t i) { return made.of_row[at(i)] == Aggregates::none; };
  const auto begin_at = [&](std::int64_t i) {
    made.of_row[at(i)] = made.count;
    for_each_neighbour(strong, i, [&](std::int32_t j, double) {
      if (is_free(j)) made.of_row[at(j)] = made.count;
    });
    ++made.count;
  };
  for (std::int64_t i = 0; i < strong.rows; ++i) {
    bool all_free = is_free(i);
    for_each_neighbour(strong, i,
                       [&](std::int32_t j, double) { all_free = all_free && is_free(j); });
    if (all_free) begin_at(i);
  }
  const std::vector<std::int32_t> first = made.of_row;
  for (std::int64_t i = 0; i < strong.rows; ++i) {
    if (!is_free(i)) continue;
    double most = 0;
    for_each_neighbour(strong, i, [&](std::int32_t j, double entry) {
      if (first[at(j)] == Aggregates::none || std::abs(entry) <= most) return;
      most = std::abs(entry);
      made.of_row[at(i)] = first[at(j)];
    });
  }
  for (std::int64_t i = 0; i < strong.rows; ++i) {
    if (is_free(i)) begin_at(i);
  }
  return made;
}

/// 1 / √size for each row of an aggregate of that size: its columns are orthonormal.
SparseMatrix constant_on(const Aggregates& aggregates) {
  std::vector<std::int32_t> sizes(at(aggregates.count));
  for (const std::int32_t aggregate : aggregates.of_row) ++sizes[at(aggregate)];
  const auto rows = static_cast<std::int64_t>(aggregates.of_row.size());
  SparseMatrix p{.rows = rows, .columns = aggregates.count};
  for (const std::int32_t aggregate : aggregates.of_row) {
    p.col.push_back(aggregate);
    p.val.push_back(1 / std::sqrt(static_cast<double>(sizes[at(aggregate)])));
    p.row.push_back(static_cast<std::int32_t>(p.col.size()));
  }
  return p;
}

/// A bound of the largest eigenvalue of D⁻¹A: the largest sum of absolute values of a row, or where
/// that is less, some steps of the power method with a margin.
double largest_eigenvalue(const SparseMatrix& a, const std::vector<double>& inverse_diagonal) {
  constexpr int steps = 15;
  constexpr double margin = 1.1;
  double bound = 0;
  for (std::int64_t i = 0; i < a.rows; ++i) {
    double sum = 0;
    for (std::int32_t k = a.row[at(i)]; k < a.row[at(i + 1)]; ++k) sum += std::abs(a.val[at(k)]);
    bound = std::max(bound, sum * inverse_diagonal[at(i)]);
  }
  std::vector<double> v(at(a.rows));
  // Nothing smooth: neighbours differ.
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::cos(static_cast<double>(i) * 2.4);
  double growth = 0;
  for (int step = 0; step < steps; ++step) {
    std::vector<double> next(v.size());
    double before = 0;
    double after = 0;
    for (std::int64_t i = 0; i < a.rows; ++i) {
      double sum = 0;
      for (std::int32_t k = a.row[at(i)]; k < a.row[at(i + 1)]; ++k) {
        sum += a.val[at(k)] * v[at(a.col[at(k)])];
      }
      next[at(i)] = sum * inverse_diagonal[at(i)];
      before += v[at(i)] * v[at(i)];
      after += next[at(i)] * next[at(i)];
    }
    growth = std::sqrt(after / before);
    const double scale = 1 / std::sqrt(after);
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = next[i] * scale;
  }
  return std::isfinite(growth) ? std::min(bound, margin * growth) : bound;
}

double jacobi_weight(const SparseMatrix& a, const std::vector<double>& inverse_diagonal) {
  const double largest = largest_eigenvalue(a, inverse_diagonal);
  return largest > 0 ? 4.0 / 3.0 / largest : 1;
}

/// (I − weight · D⁻¹A) P, with A as far as it is strong.
SparseMatrix smooth(const SparseMatrix& strong, const SparseMatrix& p) {
  const std::vector<double> inverse = inverse_diagonal_of(strong);
  const double weight = jacobi_weight(strong, inverse);
  SparseMatrix step = strong;
  for (std::int64_t i = 0; i < step.rows; ++i) {
    for (std::int32_t k = step.row[at(i)]; k < step.row[at(i + 1)]; ++k) {
      const double identity = step.col[at(k)] == i ? 1 : 0;
      step.val[at(k)] = identity - weight * inverse[at(i)] * step.val[at(k)];
    }
  }
  return multiply(step, p);
}

/// A⁻¹ by Cholesky's factors: A = L Lᵀ, then a system for each column of I.
std::vector<double> dense_inverse(const SparseMatrix& a) {
  const std::size_t n = at(a.rows);
  std::vector<double> l(n * n);
  for (std::int64_t i = 0; i < a.rows; ++i) {
    for (std::int32_t k = a.row[at(i)]; k < a.row[at(i + 1)]; ++k) {
      l[at(i) * n + at(a.col[at(k)])] += a.val[at(k)];
    }
  }
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < j; ++k) {
      for (std::size_t i = j; i < n; ++i) l[i * n + j] -= l[i * n + k] * l[j * n + k];
    }
    if (!(l[j * n + j] > 0)) {
      throw UsageError("the matrix is not positive definite: its coarsest form, of " +
                       std::to_string(n) + " rows, fails at row " + std::to_string(j + 1));
    }
    const double root = std::sqrt(l[j * n + j]);
    for (std::size_t i = j; i < n; ++i) l[i * n + j] /= root;
  }
  std::vector<double> inverse(n * n);
  std::vector<double> y(n);
  for (std::size_t column = 0; column < n; ++column) {
    for (std::size_t i = 0; i < n; ++i) {
      double sum = i == column ? 1 : 0;
      for (std::size_t k = 0; k < i; ++k) sum -= l[i * n + k] * y[k];
      y[i] = sum / l[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
      double sum = y[i];
      for (std::size_t k = i + 1; k < n; ++k) sum -= l[k * n + i] * inverse[k * n + column];
      inverse[i * n + column] = sum / l[i * n + i];
    }
  }
  return inverse;
}

void verify(const SparseMatrix& a, const AggregationOptions& options) {
  if (a.rows != a.columns) throw UsageError("a matrix that is not square has no multigrid");
  if (!(options.strength >= 0 && options.strength < 1)) {
    throw UsageError("strength is a number from 0 up to 1");
  }
  if (options.coarsest_rows < 1 || options.most_levels < 1) {
    throw UsageError("there is one level at least, and one row on it");
  }
}

}  // namespace

double Multigrid::operator_complexity() const {
  std::int64_t entries = 0;
  for (const MultigridLevel& level : levels) entries += level.a.entries();
  const auto first = static_cast<double>(std::max<std::int64_t>(1, levels.front().a.entries()));
  return static_cast<double>(entries) / first;
}

Multigrid aggregate(SparseMatrix a, const AggregationOptions& options) {
  verify(a, options);
  Multigrid made;
  double strength = options.strength;
  for (;;) {
    MultigridLevel level;
    level.a = std::move(a);
    level.inverse_diagonal = inverse_diagonal_of(level.a);
    level.weight = jacobi_weight(level.a, level.inverse_diagonal);
    const bool is_last =
        level.a.rows <= options.coarsest_rows || std::ssize(made.levels) + 1 == options.most_levels;
    if (!is_last) {
      const SparseMatrix strong = strong_part(level.a, level.inverse_diagonal, strength);
      const Aggregates aggregates = aggregates_of(strong);
      // Nothing is coupled: a smaller matrix would say the same.
      if (aggregates.count < level.a.rows) {
        level.prolongation = smooth(strong, constant_on(aggregates));
        level.restriction = transpose(level.prolongation);
        a = multiply(level.restriction, multiply(level.a, level.prolongation));
        made.levels.push_back(std::move(level));
        strength /= 2;
        continue;
      }
    }
    made.levels.push_back(std::move(level));
    break;
  }
  const SparseMatrix& last = made.levels.back().a;
  if (last.rows <= options.coarsest_rows) made.coarsest_inverse = dense_inverse(last);
  return made;
}

}  // namespace gyre::solvers
