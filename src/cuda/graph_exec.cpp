#include "gyre/cuda/graph_exec.hpp"

#include "gyre/cuda/check.hpp"
#include "gyre/cuda/context.hpp"
#include "gyre/cuda/profiler_range.hpp"
#include "memory_node_params.hpp"

#include <utility>

namespace gyre::cuda {
namespace {

std::string_view refusal(CUgraphInstantiateResult result) {
  switch (result) {
    case CUDA_GRAPH_INSTANTIATE_INVALID_STRUCTURE: return "the graph's structure is not valid";
    case CUDA_GRAPH_INSTANTIATE_NODE_OPERATION_NOT_SUPPORTED:
      return "a node does what may not stand there";
    case CUDA_GRAPH_INSTANTIATE_MULTIPLE_CTXS_NOT_SUPPORTED:
      return "nodes belong to different contexts";
    default: return "a node cannot be made ready";
  }
}

std::string_view refusal(CUgraphExecUpdateResult result) {
  switch (result) {
    case CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED: return "the topology changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED: return "a node's type changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_FUNCTION_CHANGED:
    case CU_GRAPH_EXEC_UPDATE_ERROR_UNSUPPORTED_FUNCTION_CHANGE: return "a kernel changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_PARAMETERS_CHANGED: return "a node's parameters changed";
    case CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED: return "a node cannot be updated";
    case CU_GRAPH_EXEC_UPDATE_ERROR_ATTRIBUTES_CHANGED: return "a node's attributes changed";
    default: return "the driver refused";
  }
}

std::string at_node(const Graph& graph, CUgraphNode node) {
  return node == nullptr ? std::string() : " at " + graph.name_of(node);
}

}  // namespace

GraphExec::GraphExec(const Graph& graph) : name_(graph.name()) {
  const ProfilerRange range(("instantiate " + name_).c_str());
  CUDA_GRAPH_INSTANTIATE_PARAMS params{};
  const CUresult result =
      loaded_driver().cuGraphInstantiateWithParams(&exec_, graph.get(), &params);
  if (result == CUDA_SUCCESS) return;
  const During during("instantiating the graph of " + name_ + ": " +
                      std::string(refusal(params.result_out)) +
                      at_node(graph, params.hErrNode_out));
  check(result, "cuGraphInstantiateWithParams");
}

GraphExec::~GraphExec() {
  release();
}

GraphExec::GraphExec(GraphExec&& other) noexcept
    : exec_(std::exchange(other.exec_, nullptr)), name_(std::move(other.name_)) {}

GraphExec& GraphExec::operator=(GraphExec&& other) noexcept {
  if (this != &other) {
    release();
    exec_ = std::exchange(other.exec_, nullptr);
    name_ = std::move(other.name_);
  }
  return *this;
}

void GraphExec::upload(StreamView stream) const {
  GYRE_CUDA_CALL(cuGraphUpload(exec_, stream.get()));
}

void GraphExec::launch(StreamView stream) const {
  const ProfilerRange range(name_.c_str());
  GYRE_CUDA_CALL(cuGraphLaunch(exec_, stream.get()));
}

GraphUpdate GraphExec::update(const Graph& graph) const {
  CUgraphExecUpdateResultInfo info{};
  const CUresult result = loaded_driver().cuGraphExecUpdate(exec_, graph.get(), &info);
  if (result == CUDA_SUCCESS) return {.done = true, .reason = {}};
  if (result != CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE) {
    const During during("updating the graph of " + name_);
    check(result, "cuGraphExecUpdate");
  }
  return {.done = false,
          .reason = std::string(refusal(info.result)) + at_node(graph, info.errorNode)};
}

void GraphExec::set_kernel(CUgraphNode node, const KernelNode& kernel) const {
  CUDA_KERNEL_NODE_PARAMS_v2 params{};
  params.func = kernel.function.get();
  params.gridDimX = kernel.shape.grid_x;
  params.gridDimY = kernel.shape.grid_y;
  params.gridDimZ = kernel.shape.grid_z;
  params.blockDimX = kernel.shape.block_x;
  params.blockDimY = kernel.shape.block_y;
  params.blockDimZ = kernel.shape.block_z;
  params.sharedMemBytes = kernel.shape.shared_bytes;
  params.kernelParams = const_cast<void**>(kernel.arguments.data());
  GYRE_CUDA_CALL(cuGraphExecKernelNodeSetParams(exec_, node, &params));
}

void GraphExec::set_clear(CUgraphNode node, DeviceView memory) const {
  const CUDA_MEMSET_NODE_PARAMS params = clear_params(memory);
  GYRE_CUDA_CALL(cuGraphExecMemsetNodeSetParams(exec_, node, &params, current_context()));
}

void GraphExec::set_copy(CUgraphNode node, CUdeviceptr to, CUdeviceptr from,
                         std::size_t bytes) const {
  const CUDA_MEMCPY3D params = copy_params(to, from, bytes);
  GYRE_CUDA_CALL(cuGraphExecMemcpyNodeSetParams(exec_, node, &params, current_context()));
}

void GraphExec::release() noexcept {
  if (exec_ == nullptr) return;
  report_failed_release(driver()->cuGraphExecDestroy(exec_), "cuGraphExecDestroy");
  exec_ = nullptr;
}

}  // namespace gyre::cuda
