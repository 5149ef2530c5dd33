#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/driver.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/executors/make_executor.hpp"

#include <utility>

namespace gyre::executors {
namespace {

std::unique_ptr<Executor> make_device_graph(std::shared_ptr<const plan::Plan> plan,
                                            const ExecutorOptions& options) {
  auto executor = make_device_graph_executor(std::move(plan), {}, options.arena);
  executor->compile(options.checked);
  return executor;
}

std::unique_ptr<Executor> make_persistent(std::shared_ptr<const plan::Plan> plan,
                                          const ExecutorOptions& options) {
  auto executor = make_persistent_executor(std::move(plan), {}, options.arena);
  executor->compile(options.checked);
  return executor;
}

std::unique_ptr<Executor> make_host_branch(std::shared_ptr<const plan::Plan> plan,
                                           const ExecutorOptions& options) {
  auto executor = make_host_branch_executor(std::move(plan), {}, options.arena);
  executor->compile(options.checked);
  return executor;
}

bool has_no_gpu() {
  return cuda::driver() == nullptr ? cuda::has_nothing_to_drive() : cuda::device_count() == 0;
}

bool offer() {
  offer_executor({"device_graph", why_no_device_graph, make_device_graph, has_no_gpu});
  offer_executor({"persistent", why_no_persistent, make_persistent, has_no_gpu});
  offer_executor({"host_branch", why_no_host_branch, make_host_branch, has_no_gpu});
  return true;
}

}  // namespace
}  // namespace gyre::executors

/// Linked in by name (src/CMakeLists.txt); that it is set shows that the GPU executors are offered.
extern "C" {
extern const bool gyre_offer_gpu_executors;
const bool gyre_offer_gpu_executors = gyre::executors::offer();
}
