/// Algebraic multigrid by smoothed aggregation: a matrix, and ever smaller ones that stand for its
/// smooth part. The set-up, on the host.
///
/// P. Vaněk, J. Mandel, M. Brezina, "Algebraic multigrid by smoothed aggregation for second and
/// fourth order elliptic problems", Computing 56, 1996. Leaves out the cycle that uses it.
#pragma once

#include "gyre/solvers/sparse_matrix.hpp"

#include <cstdint>
#include <vector>

namespace gyre::solvers {

struct AggregationOptions {
  /// i and j are strongly coupled where |a_ij| > strength · √(a_ii a_jj); on each coarser level
  /// with half of it. From 0 up to, but not, 1.
  double strength = 0.08;
  /// A level of so few rows is the last: it is solved directly.
  std::int64_t coarsest_rows = 256;
  std::int64_t most_levels = 20;
};

/// A matrix and the way to the next smaller one.
struct MultigridLevel {
  SparseMatrix a;
  /// 1 / a_ii.
  std::vector<double> inverse_diagonal;
  /// Of a Jacobi step x += weight · D⁻¹(b − A x), so that it damps the upper part of the spectrum:
  /// 4/3 over the largest eigenvalue of D⁻¹A, or a bound of it.
  double weight = 0;
  /// From the next level to this one, and back, its transpose; empty on the last level.
  SparseMatrix prolongation;
  SparseMatrix restriction;
};

struct Multigrid {
  /// From the matrix itself to the smallest.
  std::vector<MultigridLevel> levels;
  /// A⁻¹ of the last level, row by row. Empty where that has more rows than were asked for, since
  /// nothing in it is coupled or no more levels were allowed: then it is smoothed like the others.
  std::vector<double> coarsest_inverse;

  /// Entries of all levels over those of the first: what the hierarchy costs.
  double operator_complexity() const;
};

/// The hierarchy of a symmetric positive definite matrix. Coarse rows stand for aggregates of
/// strongly coupled rows; P is a Jacobi step from "constant on each aggregate", and the coarse
/// matrix PᵀA P. UsageError for a matrix that is not square, for a row whose diagonal is missing
/// or not positive, and where the last level is not positive definite; both name the row.
Multigrid aggregate(SparseMatrix a, const AggregationOptions& options = {});

}  // namespace gyre::solvers
