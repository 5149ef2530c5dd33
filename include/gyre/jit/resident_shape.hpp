/// How a resident loop is laid out on the chip. One emitted text serves every size of problem that
/// has the same shape.
#pragma once

#include "gyre/ir/expr.hpp"

#include <compare>
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

/// As many threads make a block of a grid, as in kernels that launch alone.
inline constexpr unsigned grid_threads = 256;
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
  /// Adjacent points that a thread owns. All points of every sweep are owned by somebody, but for
  /// rounds of a grid.
  unsigned strands = 1;
  /// Of a grid: how many of its blocks a multiprocessor has room for, where all points are owned at
  /// once; 0: the blocks go over the points in rounds.
  unsigned blocks_at_once = 0;
  /// Buffers that are kept in shared memory: by a block, or a copy of what is only read by each
  /// block of a cluster.
  std::set<ir::SymbolId> shared = {};
  /// Buffers whose elements their owners keep in registers: touched at own places alone, by sweeps
  /// that have the same points.
  std::set<ir::SymbolId> registers = {};

  /// Blocks of the crew; a grid has as many as its launch says.
  unsigned blocks() const { return crew == Crew::Cluster ? cluster_blocks : 1; }
  bool goes_in_rounds() const { return crew == Crew::Grid && blocks_at_once == 0; }

  friend auto operator<=>(const ResidentShape&, const ResidentShape&) = default;
};

}  // namespace gyre::jit
