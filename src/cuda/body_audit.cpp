#include "gyre/cuda/body_audit.hpp"

#include "gyre/cuda/check.hpp"
#include "gyre/cuda/pointer_facts.hpp"

#include <algorithm>

namespace gyre::cuda {
namespace {

bool is_pageable(CUmemorytype type, const void* host, CUdeviceptr device) {
  if (type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_ARRAY) return false;
  const CUdeviceptr address =
      type == CU_MEMORYTYPE_HOST ? reinterpret_cast<CUdeviceptr>(host) : device;
  return pointer_facts(address).kind == MemoryKind::Pageable;
}

bool copies_pageable(CUgraphNode node) {
  CUDA_MEMCPY3D copy{};
  GYRE_CUDA_CALL(cuGraphMemcpyNodeGetParams(node, &copy));
  return is_pageable(copy.srcMemoryType, copy.srcHost, copy.srcDevice) ||
         is_pageable(copy.dstMemoryType, copy.dstHost, copy.dstDevice);
}

std::string kernel_name(CUgraphNode node) {
  CUDA_KERNEL_NODE_PARAMS_v2 params{};
  GYRE_CUDA_CALL(cuGraphKernelNodeGetParams(node, &params));
  const char* name = nullptr;
  // cudart launches kernels of libraries, which are "kern" here; drivers before 12.3 tell no name.
  const CUresult result = params.func != nullptr
                              ? loaded_driver().cuFuncGetName(&name, params.func)
                              : loaded_driver().cuKernelGetName(&name, params.kern);
  return result == CUDA_SUCCESS && name != nullptr ? name : std::string();
}

void read_nodes_into(std::vector<NodeFacts>& facts, CUgraph graph, bool in_child_graph) {
  std::size_t count = 0;
  GYRE_CUDA_CALL(cuGraphGetNodes(graph, nullptr, &count));
  std::vector<CUgraphNode> nodes(count);
  GYRE_CUDA_CALL(cuGraphGetNodes(graph, nodes.data(), &count));

  for (CUgraphNode node : nodes) {
    NodeFacts& fact = facts.emplace_back();
    fact.node = node;
    fact.in_child_graph = in_child_graph;
    GYRE_CUDA_CALL(cuGraphNodeGetType(node, &fact.type));
    if (fact.type == CU_GRAPH_NODE_TYPE_KERNEL) fact.function = kernel_name(node);
    if (fact.type == CU_GRAPH_NODE_TYPE_MEMCPY) fact.pageable = copies_pageable(node);
    if (fact.type == CU_GRAPH_NODE_TYPE_GRAPH) {
      CUgraph child = nullptr;
      GYRE_CUDA_CALL(cuGraphChildGraphNodeGetGraph(node, &child));
      read_nodes_into(facts, child, true);
    }
  }
}

}  // namespace

std::vector<NodeFacts> read_nodes(CUgraph graph) {
  std::vector<NodeFacts> facts;
  read_nodes_into(facts, graph, false);
  return facts;
}

std::string why_not_in_body(const NodeFacts& node) {
  switch (node.type) {
    case CU_GRAPH_NODE_TYPE_HOST:
      return "runs a host function (cudaLaunchHostFunc), which the GPU cannot start by itself; "
             "mark "
             "the call `host`, and the region around it is decided by the host";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return "allocates or frees device memory (cudaMallocAsync, or a library's temporary); take "
             "the memory from the arena of the call's context";
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return node.pageable ? "copies from or to pageable host memory; pin it (cudaMallocHost, "
                             "cudaHostRegister) or keep the data on the device"
                           : "";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return "records or waits for an event of outside the graph; order the work by streams forked "
             "from the call's stream and joined back to it";
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return "signals or waits for an external semaphore; mark the call `host`";
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return "holds stream memory operations (cuStreamWaitValue and the like), as collectives may; "
             "mark the call `host`";
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return node.in_child_graph ? "holds a graph with conditional nodes as a child graph; launch "
                                   "the executable on "
                                   "the call's stream instead, so that its nodes join"
                                 : "";
    default: return {};
  }
}

std::vector<std::string> audit_body(const std::vector<NodeFacts>& nodes, std::string_view call,
                                    std::string_view region) {
  std::vector<std::string> sentences;
  for (const NodeFacts& node : nodes) {
    const std::string why = why_not_in_body(node);
    if (why.empty()) continue;
    std::string sentence =
        "the call `" + std::string(call) + "` in " + std::string(region) + " " + why;
    // A call that allocates ten times gets one sentence.
    if (std::find(sentences.begin(), sentences.end(), sentence) == sentences.end()) {
      sentences.push_back(std::move(sentence));
    }
  }
  return sentences;
}

}  // namespace gyre::cuda
