/// In which order the rows of a sparse matrix can be worked on, many at once: levels of a triangle,
/// and colours. Set up on the host, from the pattern alone.
///
/// E. Anderson, Y. Saad, "Solving sparse triangular linear systems on parallel computers", 1989;
/// Y. Saad, "Iterative methods for sparse linear systems", sections 11.6 and 12.4. Leaves out what
/// is done to the rows.
#pragma once

#include "gyre/solvers/sparse_matrix.hpp"

#include <cstdint>
#include <vector>

namespace gyre::solvers {

/// Rows in chunks, one chunk after the other; no row of a chunk needs another one of it.
struct LevelSchedule {
  /// Every row once, in the order of their chunks.
  std::vector<std::int32_t> order = {};
  /// Chunk c holds the rows at the places begin[c] .. begin[c + 1] of `order`. Those at the places
  /// before begin[0] need no other row, and nothing is done to them.
  std::vector<std::int32_t> begin = {0};
  /// The rows of the largest chunk.
  std::int64_t width = 0;

  std::int64_t chunks() const { return static_cast<std::int64_t>(begin.size()) - 1; }
};

/// Row i of a square `pattern` behind all rows j < i in which it has entries. Level 0, rows without
/// such entries, stands before the first chunk. A level is a chunk, unless it is so much larger
/// than most that a few of them cost less. There is an even number of them: the last may be empty.
LevelSchedule schedule_below_diagonal(const SparseMatrix& pattern);
/// Row i behind all rows j > i in which it has entries.
LevelSchedule schedule_above_diagonal(const SparseMatrix& pattern);

/// A chunk for each colour: rows i and j of which one has an entry in the other have different
/// colours. Row after row takes the first colour that none of its neighbours has, so that grids
/// whose points are coupled with the nearest ones have two. All rows stand in chunks.
LevelSchedule schedule_by_colours(const SparseMatrix& pattern);

}  // namespace gyre::solvers
