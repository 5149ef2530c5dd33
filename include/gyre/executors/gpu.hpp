/// The executors that run a plan on a GPU: `device_graph`, where conditional nodes decide every
/// branch, `persistent`, where a loop is one kernel, and `host_branch`, where the host decides.
///
/// Buffers may lie on the device or on the host; those on the host are copied before and after each
/// run, which the host then attends. A call that is marked to run on the host stands between
/// graphs: the branches around it are decided by the host on either executor. Executors that never
/// run at once may share an arena. Leaves out choosing an executor (make_executor.hpp).
#pragma once

#include "gyre/executors/arena_memory.hpp"
#include "gyre/executors/executor.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace gyre::executors {

/// Why this machine cannot run `device_graph`, `persistent` or `host_branch`; empty where it can.
std::string why_no_device_graph();
std::string why_no_persistent();
std::string why_no_host_branch();

struct DeviceGraphOptions {
  /// Uses SWITCH nodes where the driver has them; otherwise, and before driver 12.8, every arm is
  /// an IF node.
  bool switch_nodes = true;
  /// Whether every branch whose arms can be switched off becomes guarded kernels in line, or none;
  /// without a value the costs decide.
  std::optional<bool> predication = {};
  /// How many trips the body of a loop holds, where it can be switched off; without a value the
  /// costs decide. At least 1.
  std::optional<std::uint32_t> trips_per_body = {};
  /// How many trips stand in line ahead of such a loop's node; without a value the costs decide.
  std::optional<std::uint32_t> trips_ahead = {};
};

/// One CUDA graph with conditional nodes: one launch, no host in between. Throws EnvironmentError
/// where the machine cannot.
std::unique_ptr<Executor> make_device_graph_executor(std::shared_ptr<const plan::Plan> plan,
                                                     const DeviceGraphOptions& options = {},
                                                     std::shared_ptr<ArenaMemory> arena = nullptr);

struct PersistentOptions {
  /// Who runs a loop together.
  enum class Form {
    /// The smallest of the others that has room for the loop.
    Automatic,
    /// One block: slots in registers, buffers in registers and shared memory where they fit.
    Block,
    /// One cluster of blocks.
    Cluster,
    /// As many blocks as the device runs at once.
    Grid,
  } form = Form::Automatic;
  /// Threads of a block of the first two forms, a power of two from 32 to 1024; 0: as many as there
  /// are points, up to 1024. With fewer each owns several points.
  unsigned threads = 0;
};

/// As `device_graph`, but each loop of expressions alone that has room on the chip is one kernel,
/// with its branches and inner loops; a run's sizes decide which have. Checked runs have none such.
std::unique_ptr<Executor> make_persistent_executor(std::shared_ptr<const plan::Plan> plan,
                                                   const PersistentOptions& options = {},
                                                   std::shared_ptr<ArenaMemory> arena = nullptr);

struct HostBranchOptions {
  /// How a decision reaches the host.
  enum class Flag {
    /// A copy to ordinary memory, which waits for the stream: what `.item()` does.
    Pageable,
    /// A copy to pinned memory, then waiting for the stream.
    Pinned,
    /// A store into mapped memory that the host polls.
    Polled,
  } flag = Flag::Polled;
  /// Runs each straight line of kernels as one graph instead of launch by launch.
  bool segment_graphs = false;
  /// The host asks whether a loop goes on after every so many trips, where its body can be switched
  /// off; kernels of a trip too many do nothing. At least 1.
  unsigned check_every = 1;
};

/// The host reads each decision: the fallback, and the baseline.
std::unique_ptr<Executor> make_host_branch_executor(std::shared_ptr<const plan::Plan> plan,
                                                    const HostBranchOptions& options = {},
                                                    std::shared_ptr<ArenaMemory> arena = nullptr);

}  // namespace gyre::executors
