#include "gyre/executors/gpu.hpp"

#include "gpu_executor.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/jit/nvrtc.hpp"

#include <bit>
#include <string>
#include <utility>

namespace gyre::executors {

std::string why_no_host_branch() {
  if (cuda::driver() == nullptr) return cuda::why_no_driver();
  if (cuda::device_count() == 0) return "the driver sees no GPU";
  return jit::why_no_nvrtc();
}

std::string why_no_device_graph() {
  if (std::string reason = why_no_host_branch(); !reason.empty()) return reason;
  if (!cuda::read_device_facts().has_conditional_nodes()) {
    return "conditional nodes need a driver of CUDA 12.4 or later";
  }
  return {};
}

std::string why_no_persistent() {
  return why_no_device_graph();
}

std::unique_ptr<Executor> make_device_graph_executor(std::shared_ptr<const plan::Plan> plan,
                                                     const DeviceGraphOptions& options,
                                                     std::shared_ptr<ArenaMemory> arena) {
  if (const std::string reason = why_no_device_graph(); !reason.empty()) {
    throw EnvironmentError("device_graph cannot run here: " + reason);
  }
  const bool split_arms = !options.switch_nodes || !cuda::read_device_facts().has_switch();
  return std::make_unique<GpuExecutor>(
      std::move(plan),
      GpuPolicy{
          .name = "device_graph",
          .decisions = split_arms ? jit::Decisions::IfNodesOnly : jit::Decisions::ConditionalNodes,
          .predication = options.predication,
          .copies = options.trips_per_body,
          .ahead = options.trips_ahead},
      std::move(arena));
}

std::unique_ptr<Executor> make_persistent_executor(std::shared_ptr<const plan::Plan> plan,
                                                   const PersistentOptions& options,
                                                   std::shared_ptr<ArenaMemory> arena) {
  if (const std::string reason = why_no_persistent(); !reason.empty()) {
    throw EnvironmentError("persistent cannot run here: " + reason);
  }
  const unsigned threads = options.threads;
  if (threads != 0 && (!std::has_single_bit(threads) || threads < 32 || threads > 1024)) {
    throw UsageError("a block has 32 to 1024 threads, a power of two, not " +
                     std::to_string(threads));
  }
  const bool split_arms = !cuda::read_device_facts().has_switch();
  return std::make_unique<GpuExecutor>(
      std::move(plan),
      GpuPolicy{
          .name = "persistent",
          .decisions = split_arms ? jit::Decisions::IfNodesOnly : jit::Decisions::ConditionalNodes,
          .persistent = options},
      std::move(arena));
}

std::unique_ptr<Executor> make_host_branch_executor(std::shared_ptr<const plan::Plan> plan,
                                                    const HostBranchOptions& options,
                                                    std::shared_ptr<ArenaMemory> arena) {
  if (const std::string reason = why_no_host_branch(); !reason.empty()) {
    throw EnvironmentError("host_branch cannot run here: " + reason);
  }
  return std::make_unique<GpuExecutor>(std::move(plan),
                                       GpuPolicy{.name = "host_branch",
                                                 .decisions = jit::Decisions::Host,
                                                 .flag = options.flag,
                                                 .graphs = options.segment_graphs,
                                                 .records_calls = false,
                                                 .predication = false,
                                                 .copies = options.check_every,
                                                 .ahead = 0},
                                       std::move(arena));
}

}  // namespace gyre::executors
