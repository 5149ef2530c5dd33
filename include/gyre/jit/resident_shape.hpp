/// How a resident loop is laid out on the chip. One emitted text serves every size of problem that
/// has the same shape.
#pragma once

#include "gyre/ir/expr.hpp"

#include <compare>
#include <cstdint>
#include <set>

namespace gyre::jit {

/// Who runs a resident loop together.
enum class Crew {
  /// One block: it meets at block barriers.
  Block,
  /// One cluster of blocks, which leave their shares of folds in each other's shared memory.
  Cluster,
  /// A grid of blocks that are all on the device at once; folds go through global memory.
  Grid
};

/// As many threads make a block of a grid that goes over its points in rounds, as in kernels that
/// launch alone.
inline constexpr unsigned grid_threads = 256;
/// The most blocks of a grid that owns its points.
inline constexpr unsigned most_owner_blocks = 256;
/// The most blocks that every device with clusters has in one.
inline constexpr unsigned cluster_blocks = 8;

/// Elements that lie in memory as they are computed with may lie in registers.
inline bool fits_registers(ir::ScalarType element) {
  return element != ir::ScalarType::Bool && !ir::is_storage_only(element);
}

struct ResidentShape {
  Crew crew = Crew::Block;
  /// Threads of a block.
  unsigned threads = 32;
  /// Strands of folds that a thread has: adjacent ones, but in a grid, where those of a warp are.
  unsigned strands = 1;
  /// Points of each strand, all of which the thread owns. More than one where a grid has more
  /// points than a fold has strands; 0: a grid's blocks go over the points in rounds, and nobody
  /// owns any.
  unsigned points = 1;
  /// Buffers that are kept in shared memory: by a block, or a copy of what is only read by each
  /// block of a cluster.
  std::set<ir::SymbolId> shared = {};
  /// Buffers whose elements their owners keep in registers: touched at own places alone, by sweeps
  /// that have the same points.
  std::set<ir::SymbolId> registers = {};
  /// Buffers in memory of whose elements owners have a copy in registers: stored to at own places
  /// alone, by sweeps that have the same points, and loaded from elsewhere too.
  std::set<ir::SymbolId> copied = {};
  /// Rows that each block keeps in shared memory as far as there is room, by their number among
  /// plan::kept_rows. Then the block's points follow each other.
  std::set<std::uint32_t> rows = {};
  /// Folds within a point have many terms.
  bool long_folds = false;

  /// Blocks of the crew; a grid has as many as its launch says.
  unsigned blocks() const { return crew == Crew::Cluster ? cluster_blocks : 1; }
  bool goes_in_rounds() const { return points == 0; }
  /// Points that a thread owns.
  unsigned own() const { return strands * points; }

  friend auto operator<=>(const ResidentShape&, const ResidentShape&) = default;
};

}  // namespace gyre::jit
