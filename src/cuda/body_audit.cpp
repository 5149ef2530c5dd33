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

void read_copy(CUgraphNode node, NodeFacts& fact) {
  CUDA_MEMCPY3D copy{};
  GYRE_CUDA_CALL(cuGraphMemcpyNodeGetParams(node, &copy));
  fact.pageable = is_pageable(copy.srcMemoryType, copy.srcHost, copy.srcDevice) ||
                  is_pageable(copy.dstMemoryType, copy.dstHost, copy.dstDevice);
  fact.array =
      copy.srcMemoryType == CU_MEMORYTYPE_ARRAY || copy.dstMemoryType == CU_MEMORYTYPE_ARRAY;
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

void read_nodes_into(std::vector<NodeFacts>& facts, CUgraph graph) {
  std::size_t count = 0;
  GYRE_CUDA_CALL(cuGraphGetNodes(graph, nullptr, &count));
  std::vector<CUgraphNode> nodes(count);
  GYRE_CUDA_CALL(cuGraphGetNodes(graph, nodes.data(), &count));

  for (CUgraphNode node : nodes) {
    NodeFacts& fact = facts.emplace_back();
    fact.node = node;
    GYRE_CUDA_CALL(cuGraphNodeGetType(node, &fact.type));
    if (fact.type == CU_GRAPH_NODE_TYPE_KERNEL) fact.function = kernel_name(node);
    if (fact.type == CU_GRAPH_NODE_TYPE_MEMCPY) read_copy(node, fact);
    if (fact.type == CU_GRAPH_NODE_TYPE_GRAPH) {
      CUgraph child = nullptr;
      GYRE_CUDA_CALL(cuGraphChildGraphNodeGetGraph(node, &child));
      read_nodes_into(facts, child);
    }
  }
}

std::string why_not_kernel(const NodeFacts& node) {
  if (!is_collective(node.function)) return {};
  return "takes part in a collective of NCCL (" + node.function +
         "), which other processes may wait for and no loop of the GPU may hold; place the call on "
         "the host, and the graph is split around it";
}

std::string why_not_copy(const NodeFacts& node) {
  if (node.pageable) {
    return "copies from or to pageable host memory; pin it (cudaMallocHost, cudaHostRegister) or "
           "keep the data on the device";
  }
  if (node.array) {
    return "copies from or to a CUDA array, which a body may not; keep the data in linear memory, "
           "or "
           "place the call on the host";
  }
  return {};
}

}  // namespace

std::vector<NodeFacts> read_nodes(CUgraph graph) {
  std::vector<NodeFacts> facts;
  read_nodes_into(facts, graph);
  return facts;
}

bool is_collective(std::string_view function) {
  // A C++ name starts with its own length: _Z40ncclDevKernel_AllReduce…
  if (function.starts_with("_Z")) {
    function.remove_prefix(std::min(function.size(), function.find_first_not_of("0123456789", 2)));
  }
  return function.starts_with("ncclDevKernel") || function.starts_with("ncclKernel");
}

std::string why_not_in_body(const NodeFacts& node) {
  switch (node.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: return why_not_kernel(node);
    case CU_GRAPH_NODE_TYPE_MEMCPY: return why_not_copy(node);
    case CU_GRAPH_NODE_TYPE_HOST:
      return "runs a host function (cudaLaunchHostFunc), which the GPU cannot start by itself; "
             "place the call on the host";
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return "allocates or frees device memory (cudaMallocAsync, or a library that does); take the "
             "memory from the context's temporary, and give libraries a workspace from there";
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return "records or waits for an event of outside the graph; order its work by streams that "
             "are forked from the context's stream and joined back";
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL:
    case CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT:
      return "signals or waits for an external semaphore; place the call on the host";
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
      return "holds stream memory operations (cuStreamWaitValue and the like); place the call on "
             "the "
             "host";
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return "holds a graph with conditional nodes, as another executable with loops or branches "
             "is "
             "one; write its statements into this program, or place the call on the host";
    default: return {};
  }
}

std::vector<std::string> audit_body(const std::vector<NodeFacts>& nodes) {
  std::vector<std::string> reasons;
  for (const NodeFacts& node : nodes) {
    std::string why = why_not_in_body(node);
    if (why.empty()) continue;
    if (is_collective(node.function)) return {std::move(why)};
    // A call that allocates ten times gets one sentence.
    if (std::find(reasons.begin(), reasons.end(), why) == reasons.end()) {
      reasons.push_back(std::move(why));
    }
  }
  return reasons;
}

}  // namespace gyre::cuda
