/// What one device and its driver can do, read once.
///
/// Plain data without CUDA types, so that a choice between ways of lowering can be tested on any
/// machine. Leaves out measured costs.
#pragma once

#include <cstddef>
#include <string>

namespace gyre::cuda {

struct DeviceFacts {
  std::string name;
  /// Compute capability, 90 for 9.0.
  int sm = 0;
  int sm_count = 0;
  int max_threads_per_sm = 0;
  /// Shared memory of one block: by default, and at most when a kernel opts in. Bytes.
  std::size_t shared_per_block = 0;
  std::size_t max_shared_per_block = 0;
  std::size_t memory_bytes = 0;
  std::size_t l2_bytes = 0;
  /// 1000 * major + 10 * minor of the newest CUDA that the driver knows.
  int driver_version = 0;
  bool cooperative_launch = false;

  /// IF and WHILE nodes.
  bool has_conditional_nodes() const { return driver_version >= 12040; }
  /// IF nodes with an ELSE arm.
  bool has_else() const { return driver_version >= 12080; }
  /// ELSE arms keep child graphs in their place.
  bool else_may_hold_child_graphs() const { return driver_version >= 13000; }
  bool has_switch() const { return driver_version >= 12080; }
  /// Blocks in clusters, and kernels that start before their predecessor ends (PDL).
  bool has_clusters() const { return sm >= 90; }

  /// `sm_90`: what NVRTC compiles for.
  std::string architecture() const { return "sm_" + std::to_string(sm); }
};

/// The facts of device `ordinal`, counted as CUDA_VISIBLE_DEVICES leaves them.
DeviceFacts read_device_facts(int ordinal = 0);

/// How many devices this process can use; 0 without a driver.
int device_count();

}  // namespace gyre::cuda
