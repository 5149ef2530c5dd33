/// Incomplete triangular factors without fill, L D U with unit triangles: where their entries stand
/// and in which order they are made and solved with. Set up on the host, from the pattern alone.
///
/// J. A. Meijerink, H. A. van der Vorst, 1977; Y. Saad, "Iterative methods for sparse linear
/// systems", sections 10.3 and 11.6. Leaves out values, which the program of a solve computes.
#pragma once

#include "gyre/solvers/level_schedule.hpp"
#include "gyre/solvers/sparse_matrix.hpp"

#include <cstdint>
#include <vector>

namespace gyre::solvers {

/// A triangle with ones on its diagonal, by rows in the order in which they are solved for.
struct UnitTriangle {
  LevelSchedule schedule;
  /// The row at place k of the order holds the entries start[k] .. start[k + 1] besides its 1.
  std::vector<std::int32_t> start = {0};
  /// The place in the order of each entry's column.
  std::vector<std::int32_t> col = {};
  /// Where each entry stands among those of the factors.
  std::vector<std::int32_t> from = {};
};

struct IncompleteFactors {
  /// The places of L, D and U together: row i holds the entries row[i] .. row[i + 1] with ascending
  /// columns, each once, and one on its diagonal, at diagonal[i].
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col = {};
  std::vector<std::int32_t> diagonal = {};
  /// The first row that has no diagonal entry in the matrix; as many as there are rows where each
  /// has one.
  std::int64_t row_without_diagonal = 0;
  UnitTriangle lower;
  UnitTriangle upper;
  /// Where in the order of `lower` the row at place k of the order of `upper` stands.
  std::vector<std::int32_t> lower_place = {};
  /// Where in the order of `upper` row i stands.
  std::vector<std::int32_t> upper_place = {};
};

/// Which triangles of a matrix the factors have the pattern of.
enum class FactorPattern : std::uint8_t {
  /// Both, as they are.
  General,
  /// The lower one, and its transpose for the upper.
  Symmetric
};

/// The layout for a square matrix with the pattern of `a`. UsageError where the factors have more
/// entries than an i32 counts.
IncompleteFactors lay_out_factors(const SparseMatrix& a, FactorPattern pattern);

}  // namespace gyre::solvers
