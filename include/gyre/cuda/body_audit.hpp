/// What a recorded call may not hold, since its graph stands in a conditional node's body.
///
/// CUDA records such nodes without complaint and fails when the whole graph is instantiated, with a
/// bare "invalid argument". So each recorded node is read and judged at once. Reading needs a GPU,
/// judging does not. Leaves out work that cannot be recorded at all (capture_failure.hpp).
#pragma once

#include "gyre/cuda/driver.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gyre::cuda {

/// One node of a graph, as far as the audit is concerned.
struct NodeFacts {
  CUgraphNode node = nullptr;
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  /// A kernel's name as the linker knows it; empty for other nodes, and where the driver does not
  /// tell it.
  std::string function = {};
  /// A copy from or to host memory that is not pinned.
  bool pageable = false;
  /// A copy from or to a CUDA array.
  bool array = false;
};

/// Every node of `graph`, those of child graphs included; bodies of conditional nodes are not.
std::vector<NodeFacts> read_nodes(CUgraph graph);

/// Whether a kernel of that name belongs to a collective of NCCL.
bool is_collective(std::string_view function);

/// Why the node may not stand in a body, and what to do instead, as the end of a sentence that
/// starts with the call; empty where it may.
std::string why_not_in_body(const NodeFacts& node);

/// The ends of sentences for all nodes, each once. Empty where all nodes may stand there. What a
/// collective holds beside its kernels is not mentioned.
std::vector<std::string> audit_body(const std::vector<NodeFacts>& nodes);

}  // namespace gyre::cuda
