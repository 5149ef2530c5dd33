/// What the primitives of control flow cost on one kind of GPU, as data.
///
/// A table is measured by `gyre doctor --calibrate` and kept as JSON. Leaves out which table a
/// machine uses (find_cost_table.hpp) and what is chosen by it (cost_model.hpp).
#pragma once

#include <string>
#include <string_view>

namespace gyre::plan {

/// Microseconds, where nothing else is said. "Above" leaves out what the kernels named cost by
/// themselves.
struct CostTable {
  /// The GPU as its driver names it.
  std::string device;

  /// A kernel that touches 65,536 floats, behind another of its kind in a graph.
  double graph_kernel = 0;
  /// The same behind a programmatic edge: it starts before its predecessor has ended.
  double programmatic_kernel = 0;
  /// A kernel that does nothing, behind another in a graph.
  double empty_kernel = 0;
  /// A kernel that reads its guard, finds 0 and returns.
  double guarded_off_kernel = 0;

  /// A trip of a WHILE node, above the kernels of its body.
  double while_trip = 0;
  /// An IF node whose arm is not taken.
  double if_not_taken = 0;
  /// An IF node whose arm is taken, above the arm.
  double if_taken = 0;
  /// A node of two arms, one of which is taken, above that arm.
  double if_else = 0;
  /// The same with 8 and with 64 arms.
  double switch_of_8 = 0;
  double switch_of_64 = 0;

  /// A kernel that the host launches by itself, behind others.
  double host_kernel = 0;
  /// The host reads one word and decides by it, above the kernels launched: copied to pageable
  /// memory as `.item()` does, to pinned memory, and stored by the kernel into memory that the host
  /// watches.
  double item_pageable = 0;
  double item_pinned = 0;
  double item_polled = 0;

  /// Host time of launching a graph: of kernels, and with a WHILE node.
  double launch_call = 0;
  double launch_call_while = 0;
  /// Launch to end of wait: a graph of one kernel, and one whose WHILE node makes one trip.
  double launch_and_wait = 0;
  double launch_and_wait_while = 0;

  /// A barrier of a block of 1,024 threads, of a cluster of 8 such blocks, and of a grid that fills
  /// the GPU with a block of 256 threads on each multiprocessor.
  double block_barrier = 0;
  double cluster_barrier = 0;
  double grid_barrier = 0;
  /// What it adds to a kernel of 256 blocks that the one which ends last knows that it does.
  double last_block_ticket = 0;

  /// Bytes that a copy within device memory reads and writes in a microsecond.
  double bytes_per_microsecond = 0;

  /// A sweep over few points, each of which takes the value of another by way of an index: as a
  /// kernel of a graph, under a guard, which starts early behind another one; then by a block of
  /// 512 threads, values in shared memory, by a cluster of 8 such blocks and by a grid that fills
  /// the GPU with a block of 256 threads on each multiprocessor, the barrier at its end included.
  double kernel_sweep = 0;
  double block_sweep = 0;
  double cluster_sweep = 0;
  double grid_sweep = 0;
  /// A trip of such a crew that does nothing: all meet, and decide whether there is another one.
  double block_trip = 0;
  double cluster_trip = 0;
  double grid_trip = 0;
  /// What it adds that a fold of f64 goes over all points of such a sweep, and that the next one
  /// needs its result.
  double kernel_fold = 0;
  double block_fold = 0;
  double cluster_fold = 0;
  double grid_fold = 0;
  /// Bytes that one multiprocessor goes through in a microsecond, beside what its sweeps cost, in
  /// products with rows of five entries: from its shared memory and from the GPU's cache, a row for
  /// each of 512 threads.
  double shared_bytes_per_microsecond = 0;
  double cached_bytes_per_microsecond = 0;
  /// The same with four adjacent rows for each thread.
  double shared_bytes_by_four = 0;
  double cached_bytes_by_four = 0;

  friend bool operator==(const CostTable&, const CostTable&) = default;
};

/// The table that `text` holds: an object with the device's name and every cost by its name here.
/// `name` stands in errors. Throws UsageError for what is no JSON, and for a cost that is missing,
/// unknown or no finite number from 0 up.
CostTable parse_cost_table(std::string_view text, const std::string& name);

/// `table` as JSON that parse_cost_table reads back, to four significant digits, one cost a line.
std::string print_cost_table(const CostTable& table);

/// The table that gyre brings, of an H200: right in its proportions for GPUs of its time.
const CostTable& shipped_cost_table();

}  // namespace gyre::plan
