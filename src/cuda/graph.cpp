#include "gyre/cuda/graph.hpp"

#include "graph_compat.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/context.hpp"
#include "launch_attributes.hpp"
#include "memory_node_params.hpp"

#include <utility>

namespace gyre::cuda {
namespace {

CUgraphNodeParams node_params(CUgraphNodeType type) {
  // Bytes that the type does not use must be zero, those of the union included.
  CUgraphNodeParams params{};
  params.type = type;
  return params;
}

CUgraphConditionalNodeType conditional_type(ConditionalKind kind) {
  switch (kind) {
    case ConditionalKind::If: return CU_GRAPH_COND_TYPE_IF;
    case ConditionalKind::While: return CU_GRAPH_COND_TYPE_WHILE;
    case ConditionalKind::Switch: return compat::conditional_switch;
  }
  GYRE_CHECK(false, "a conditional node has one of three kinds");
  return CU_GRAPH_COND_TYPE_IF;
}

}  // namespace

GraphView::GraphView(CUgraph graph, std::shared_ptr<NodeNames> names)
    : graph_(graph), names_(std::move(names)) {}

CUgraphNode GraphView::add(const std::string& name, std::span<const Dependency> after,
                           CUgraphNodeParams& params) const {
  const During during("adding " + name);
  CUgraphNode node = compat::add_node(graph_, after, params);
  names_->emplace(node, name);
  return node;
}

CUgraphNode GraphView::add_kernel(const std::string& name, const KernelNode& kernel,
                                  std::span<const Dependency> after) const {
  CUgraphNodeParams params = node_params(CU_GRAPH_NODE_TYPE_KERNEL);
  params.kernel.func = kernel.function.get();
  params.kernel.gridDimX = kernel.shape.grid_x;
  params.kernel.gridDimY = kernel.shape.grid_y;
  params.kernel.gridDimZ = kernel.shape.grid_z;
  params.kernel.blockDimX = kernel.shape.block_x;
  params.kernel.blockDimY = kernel.shape.block_y;
  params.kernel.blockDimZ = kernel.shape.block_z;
  params.kernel.sharedMemBytes = kernel.shape.shared_bytes;
  params.kernel.kernelParams = const_cast<void**>(kernel.arguments.data());
  CUgraphNode node = add(name, after, params);

  const LaunchAttributes attributes(kernel.shape);
  for (unsigned i = 0; i < attributes.count; ++i) {
    const CUlaunchAttribute& attribute = attributes.values[i];
    GYRE_CUDA_CALL(cuGraphKernelNodeSetAttribute(node, attribute.id, &attribute.value));
  }
  return node;
}

CUgraphNode GraphView::add_kernel_like(const std::string& name, CUgraphNode other,
                                       std::span<const Dependency> after) const {
  CUDA_KERNEL_NODE_PARAMS_v2 kernel{};
  GYRE_CUDA_CALL(cuGraphKernelNodeGetParams(other, &kernel));
  CUgraphNodeParams params = node_params(CU_GRAPH_NODE_TYPE_KERNEL);
  params.kernel.func = kernel.func;
  params.kernel.gridDimX = kernel.gridDimX;
  params.kernel.gridDimY = kernel.gridDimY;
  params.kernel.gridDimZ = kernel.gridDimZ;
  params.kernel.blockDimX = kernel.blockDimX;
  params.kernel.blockDimY = kernel.blockDimY;
  params.kernel.blockDimZ = kernel.blockDimZ;
  params.kernel.sharedMemBytes = kernel.sharedMemBytes;
  params.kernel.kernelParams = kernel.kernelParams;
  params.kernel.extra = kernel.extra;
  params.kernel.kern = kernel.kern;
  params.kernel.ctx = kernel.ctx;
  const CUgraphNode node = add(name, after, params);
  GYRE_CUDA_CALL(cuGraphKernelNodeCopyAttributes(node, other));
  return node;
}

CUgraphNode GraphView::add_clear(const std::string& name, DeviceView memory,
                                 std::span<const Dependency> after) const {
  CUgraphNodeParams params = node_params(CU_GRAPH_NODE_TYPE_MEMSET);
  const CUDA_MEMSET_NODE_PARAMS clear = clear_params(memory);
  params.memset.dst = clear.dst;
  params.memset.elementSize = clear.elementSize;
  params.memset.width = clear.width;
  params.memset.height = clear.height;
  params.memset.ctx = current_context();
  return add(name, after, params);
}

CUgraphNode GraphView::add_copy(const std::string& name, CUdeviceptr to, CUdeviceptr from,
                                std::size_t bytes, std::span<const Dependency> after) const {
  CUgraphNodeParams params = node_params(CU_GRAPH_NODE_TYPE_MEMCPY);
  params.memcpy.copyCtx = current_context();
  params.memcpy.copyParams = copy_params(to, from, bytes);
  return add(name, after, params);
}

CUgraphNode GraphView::add_child(const std::string& name, CUgraph child,
                                 std::span<const Dependency> after) const {
  CUgraphNodeParams params = node_params(CU_GRAPH_NODE_TYPE_GRAPH);
  params.graph.graph = child;
  return add(name, after, params);
}

CUgraphNode GraphView::add_empty(std::span<const Dependency> after) const {
  CUgraphNodeParams params = node_params(CU_GRAPH_NODE_TYPE_EMPTY);
  return add("a join", after, params);
}

void GraphView::add_dependencies(CUgraphNode node, std::span<const Dependency> after) const {
  compat::add_dependencies(graph_, node, after);
}

ConditionalHandle GraphView::make_handle(std::optional<unsigned> at_launch) const {
  ConditionalHandle handle = 0;
  GYRE_CUDA_CALL(cuGraphConditionalHandleCreate(&handle, graph_, current_context(),
                                                at_launch.value_or(0),
                                                at_launch ? CU_GRAPH_COND_ASSIGN_DEFAULT : 0U));
  return handle;
}

ConditionalNode GraphView::add_conditional(const std::string& name, ConditionalKind kind,
                                           ConditionalHandle handle, unsigned bodies,
                                           std::span<const Dependency> after) const {
  CUgraphNodeParams params = node_params(CU_GRAPH_NODE_TYPE_CONDITIONAL);
  params.conditional.handle = handle;
  params.conditional.type = conditional_type(kind);
  params.conditional.size = bodies;
  params.conditional.ctx = current_context();

  ConditionalNode result{.node = add(name, after, params), .bodies = {}};
  for (unsigned i = 0; i < bodies; ++i) {
    result.bodies.emplace_back(params.conditional.phGraph_out[i], names_);
  }
  return result;
}

Graph::Graph(std::string name) : name_(std::move(name)), names_(std::make_shared<NodeNames>()) {
  GYRE_CUDA_CALL(cuGraphCreate(&graph_, 0));
}

Graph::~Graph() {
  release();
}

Graph::Graph(Graph&& other) noexcept
    : graph_(std::exchange(other.graph_, nullptr)),
      name_(std::move(other.name_)),
      names_(std::move(other.names_)) {}

Graph& Graph::operator=(Graph&& other) noexcept {
  if (this != &other) {
    release();
    graph_ = std::exchange(other.graph_, nullptr);
    name_ = std::move(other.name_);
    names_ = std::move(other.names_);
  }
  return *this;
}

std::string Graph::name_of(CUgraphNode node) const {
  const auto found = names_->find(node);
  return found == names_->end() ? "a node" : found->second;
}

void Graph::release() noexcept {
  if (graph_ == nullptr) return;
  report_failed_release(driver()->cuGraphDestroy(graph_), "cuGraphDestroy");
  graph_ = nullptr;
}

}  // namespace gyre::cuda
