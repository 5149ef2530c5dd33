#include "graph_compat.hpp"

#include "gyre/cuda/check.hpp"

#include <algorithm>
#include <vector>

namespace gyre::cuda::compat {
namespace {

/// Dependencies as the driver takes them: nodes, and data of each edge.
struct Edges {
  std::vector<CUgraphNode> from;
  std::vector<CUgraphEdgeData> data;

  explicit Edges(std::span<const Dependency> after) {
    for (const Dependency& dependency : after) {
      from.push_back(dependency.node);
      CUgraphEdgeData& edge = data.emplace_back();
      if (dependency.programmatic) {
        edge.from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
        edge.type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
      }
    }
    // Plain edges need no data, and the driver then takes the path that every version has.
    if (std::none_of(after.begin(), after.end(), [](auto& each) { return each.programmatic; })) {
      data.clear();
    }
  }

  const CUgraphEdgeData* data_or_null() const { return data.empty() ? nullptr : data.data(); }
};

}  // namespace

CUgraphNode add_node(CUgraph graph, std::span<const Dependency> after, CUgraphNodeParams& params) {
  const Edges edges(after);
  CUgraphNode node = nullptr;
  GYRE_CUDA_CALL(cuGraphAddNode(&node, graph, edges.from.data(), edges.data_or_null(),
                                edges.from.size(), &params));
  return node;
}

void add_dependencies(CUgraph graph, CUgraphNode node, std::span<const Dependency> after) {
  const Edges edges(after);
  const std::vector<CUgraphNode> to(edges.from.size(), node);
  GYRE_CUDA_CALL(cuGraphAddDependencies(graph, edges.from.data(), to.data(), edges.data_or_null(),
                                        edges.from.size()));
}

void begin_capture(CUstream stream, CUgraph graph, std::span<const Dependency> after) {
  const Edges edges(after);
  // Thread-local: what other threads do meanwhile cannot break this capture.
  GYRE_CUDA_CALL(cuStreamBeginCaptureToGraph(stream, graph, edges.from.data(), edges.data_or_null(),
                                             edges.from.size(),
                                             CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
}

CaptureState capture_state(CUstream stream) {
  CaptureState state;
  const CUgraphNode* nodes = nullptr;
  const CUgraphEdgeData* data = nullptr;
  std::size_t count = 0;
  GYRE_CUDA_CALL(cuStreamGetCaptureInfo(stream, &state.status, &state.id, &state.graph, &nodes,
                                        &data, &count));
  if (state.status != CU_STREAM_CAPTURE_STATUS_ACTIVE) {
    state.graph = nullptr;
    return state;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const bool programmatic =
        data != nullptr && data[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    state.last.push_back({nodes[i], programmatic});
  }
  return state;
}

void set_capture_dependencies(CUstream stream, std::span<const Dependency> after) {
  Edges edges(after);
  GYRE_CUDA_CALL(cuStreamUpdateCaptureDependencies(stream, edges.from.data(), edges.data_or_null(),
                                                   edges.from.size(),
                                                   CU_STREAM_SET_CAPTURE_DEPENDENCIES));
}

}  // namespace gyre::cuda::compat
