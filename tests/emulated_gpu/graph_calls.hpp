/// The driver's calls on graphs. A graph runs its nodes in order, conditional ones by what kernels
/// have set.
#pragma once

#include "kernel_calls.hpp"
#include "memory_calls.hpp"

#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <cuda.h>

namespace emulated {

struct Graph;

struct Node {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  Launch launch = {};
  CUdeviceptr to = 0;
  CUdeviceptr from = 0;
  std::size_t bytes = 0;
  CUgraphConditionalHandle handle = 0;
  CUgraphConditionalNodeType kind = CU_GRAPH_COND_TYPE_IF;
  std::vector<Graph*> bodies = {};
};

struct Graph {
  /// In the order of the program: gyre's graphs are chains.
  std::vector<std::unique_ptr<Node>> nodes = {};
  std::vector<CUgraphConditionalHandle> handles = {};
};

inline CUresult graph_create(CUgraph* graph, unsigned) {
  *graph = reinterpret_cast<CUgraph>(new Graph);
  return CUDA_SUCCESS;
}
inline CUresult make_handle(CUgraphConditionalHandle* handle, CUgraph graph, CUcontext, unsigned,
                            unsigned) {
  const std::lock_guard lock(device());
  static CUgraphConditionalHandle next = 1;
  *handle = next++;
  reinterpret_cast<Graph*>(graph)->handles.push_back(*handle);
  return CUDA_SUCCESS;
}

inline CUresult add_node(CUgraphNode* out, CUgraph to, const CUgraphNode*, const CUgraphEdgeData*,
                         std::size_t, CUgraphNodeParams* params) {
  auto node = std::make_unique<Node>();
  node->type = params->type;
  switch (params->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      node->launch = launch_of(params->kernel.func, params->kernel.kernelParams,
                               params->kernel.gridDimX, params->kernel.blockDimX);
      break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
      node->to = params->memset.dst;
      node->bytes = params->memset.width;
      break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      node->to = params->memcpy.copyParams.dstDevice;
      node->from = params->memcpy.copyParams.srcDevice;
      node->bytes = params->memcpy.copyParams.WidthInBytes;
      break;
    case CU_GRAPH_NODE_TYPE_CONDITIONAL: {
      node->handle = params->conditional.handle;
      node->kind = params->conditional.type;
      auto** bodies = new CUgraph[params->conditional.size];
      for (unsigned i = 0; i < params->conditional.size; ++i) {
        node->bodies.push_back(new Graph);
        bodies[i] = reinterpret_cast<CUgraph>(node->bodies.back());
      }
      params->conditional.phGraph_out = bodies;
      break;
    }
    case CU_GRAPH_NODE_TYPE_EMPTY: break;
    default: return CUDA_ERROR_NOT_SUPPORTED;
  }
  *out = reinterpret_cast<CUgraphNode>(node.get());
  reinterpret_cast<Graph*>(to)->nodes.push_back(std::move(node));
  return CUDA_SUCCESS;
}

inline void run(const Graph& graph);

inline void run_conditional(const Node& node) {
  const auto value = [&] { return values()[node.handle]; };
  switch (node.kind) {
    case CU_GRAPH_COND_TYPE_WHILE:
      while (value() != 0) run(*node.bodies[0]);
      break;
    case CU_GRAPH_COND_TYPE_IF:
      if (value() != 0) run(*node.bodies[0]);
      break;
    default:
      if (value() < node.bodies.size()) run(*node.bodies[value()]);
      break;
  }
}

inline void run(const Graph& graph) {
  for (const auto& node : graph.nodes) {
    if (node->type == CU_GRAPH_NODE_TYPE_KERNEL) node->launch.run();
    if (node->type == CU_GRAPH_NODE_TYPE_MEMSET)
      std::memset(memory<void>(node->to), 0, node->bytes);
    if (node->type == CU_GRAPH_NODE_TYPE_MEMCPY) {
      std::memmove(memory<void>(node->to), memory<void>(node->from), node->bytes);
    }
    if (node->type == CU_GRAPH_NODE_TYPE_CONDITIONAL) run_conditional(*node);
  }
}

/// Once a launch, as on a real device, never when a body is entered.
inline void give_defaults(const Graph& graph) {
  for (const auto handle : graph.handles) values()[handle] = 0;
  for (const auto& node : graph.nodes) {
    for (const Graph* body : node->bodies) give_defaults(*body);
  }
}

/// An executable is its graph, which is never destroyed.
inline CUresult instantiate(CUgraphExec* exec, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS*) {
  *exec = reinterpret_cast<CUgraphExec>(graph);
  return CUDA_SUCCESS;
}

/// A graph as it was when it was launched: its nodes may be set anew before it runs.
struct LaunchedGraph {
  explicit LaunchedGraph(const Graph& graph) : whole(copy(graph)) {}

  Graph* copy(const Graph& graph) {
    graphs.push_back(std::make_unique<Graph>());
    Graph* made = graphs.back().get();
    made->handles = graph.handles;
    for (const auto& node : graph.nodes) {
      made->nodes.push_back(std::make_unique<Node>(*node));
      for (Graph*& body : made->nodes.back()->bodies) body = copy(*body);
    }
    return made;
  }

  std::vector<std::unique_ptr<Graph>> graphs = {};
  Graph* whole;
};

inline CUresult graph_launch(CUgraphExec exec, CUstream stream) {
  const auto launched = std::make_shared<LaunchedGraph>(*reinterpret_cast<Graph*>(exec));
  stream_of(stream).put([launched] {
    const std::lock_guard lock(device());
    give_defaults(*launched->whole);
    run(*launched->whole);
  });
  return CUDA_SUCCESS;
}

/// gyre then instantiates anew.
inline CUresult exec_update(CUgraphExec, CUgraph, CUgraphExecUpdateResultInfo* info) {
  info->result = CU_GRAPH_EXEC_UPDATE_ERROR_NOT_SUPPORTED;
  return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
}
inline CUresult set_kernel(CUgraphExec, CUgraphNode node,
                           const CUDA_KERNEL_NODE_PARAMS_v2* params) {
  reinterpret_cast<Node*>(node)->launch =
      launch_of(params->func, params->kernelParams, params->gridDimX, params->blockDimX);
  return CUDA_SUCCESS;
}
inline CUresult set_memset(CUgraphExec, CUgraphNode handle, const CUDA_MEMSET_NODE_PARAMS* params,
                           CUcontext) {
  Node& node = *reinterpret_cast<Node*>(handle);
  node.to = params->dst;
  node.bytes = params->width;
  return CUDA_SUCCESS;
}
inline CUresult set_memcpy(CUgraphExec, CUgraphNode handle, const CUDA_MEMCPY3D* params,
                           CUcontext) {
  Node& node = *reinterpret_cast<Node*>(handle);
  node.to = params->dstDevice;
  node.from = params->srcDevice;
  node.bytes = params->WidthInBytes;
  return CUDA_SUCCESS;
}

}  // namespace emulated
