#include "primitives.hpp"

#include "gyre/jit/cache.hpp"

namespace gyre::executors {
namespace {

constexpr const char* kernels[] = {"gyre_empty",
                                   "gyre_work",
                                   "gyre_work_early",
                                   "gyre_guarded_work",
                                   "gyre_ticket",
                                   "gyre_enter",
                                   "gyre_repeat",
                                   "gyre_choose",
                                   "gyre_answer",
                                   "gyre_block_barriers",
                                   "gyre_cluster_barriers",
                                   "gyre_grid_barriers",
                                   "gyre_prepare_sweeps",
                                   "gyre_block_trips",
                                   "gyre_cluster_trips",
                                   "gyre_grid_trips",
                                   "gyre_block_sweeps",
                                   "gyre_block_folds",
                                   "gyre_cluster_sweeps",
                                   "gyre_cluster_folds",
                                   "gyre_grid_sweeps",
                                   "gyre_grid_folds",
                                   "gyre_sweep",
                                   "gyre_fold",
                                   "gyre_shared_rows",
                                   "gyre_shared_rows_by_four",
                                   "gyre_cached_rows",
                                   "gyre_cached_rows_by_four"};

cuda::Module load(const cuda::DeviceFacts& facts) {
  const auto cubin =
      jit::kernel_cache().get({.source = "#include \"kernels/primitives.cuh\"\n"
                                         "#include \"kernels/sweep_primitives.cuh\"\n",
                               .name = "primitives",
                               .architecture = facts.architecture()});
  return {cubin->bytes, "primitives"};
}

}  // namespace

Primitives::Primitives(const cuda::DeviceFacts& facts)
    : module_(load(facts)),
      data_(sizeof(float) * every_float.grid_x * every_float.block_x),
      words_(2 * sizeof(unsigned)) {
  for (const char* kernel : kernels) functions_.emplace(kernel, module_.function(kernel));
  cuda::clear(data_, stream_);
  cuda::clear(words_, stream_);
}

void Chain::append(const char* kernel, const cuda::LaunchShape& shape,
                   std::span<void* const> arguments, bool early) {
  for (cuda::Dependency& one : last_) one.programmatic = early;
  last_ = {{graph_.add_kernel(
      kernel, {.function = primitives_.function(kernel), .shape = shape, .arguments = arguments},
      last_)}};
}

std::vector<Chain> Chain::append(cuda::ConditionalKind kind, cuda::ConditionalHandle handle,
                                 unsigned bodies) {
  const auto node = graph_.add_conditional("a branch", kind, handle, bodies, last_);
  last_ = {{node.node}};
  std::vector<Chain> chains;
  for (const cuda::GraphView& body : node.bodies) chains.emplace_back(primitives_, body);
  return chains;
}

Chain Chain::enter_loop(unsigned trips, cuda::ConditionalHandle handle) {
  CUdeviceptr left = primitives_.count();
  void* pointers[] = {&left, &trips, &handle};
  append("gyre_enter", {}, pointers, false);
  return append(cuda::ConditionalKind::While, handle, 1).front();
}

void Chain::add_branch(cuda::ConditionalKind kind, unsigned arms, unsigned first, unsigned count) {
  const auto handle = graph_.make_handle();
  add("gyre_choose", primitives_.count(), handle, first, count);
  for (Chain& arm : append(kind, handle, arms)) arm.add("gyre_work");
}

}  // namespace gyre::executors
