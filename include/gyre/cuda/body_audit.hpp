/// What a recorded call may not hold where it stands in a conditional node's body.
///
/// CUDA records such nodes without complaint and fails when the whole graph is instantiated, with a
/// bare "invalid argument". So each recorded node is read and judged at once. Reading needs a GPU,
/// judging does not.
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
  /// A kernel's name; empty for others, and for drivers that do not tell it.
  std::string function;
  /// A copy from or to host memory that is not pinned.
  bool pageable = false;
  /// It stands in a graph that is itself a node.
  bool in_child_graph = false;
};

/// Every node of `graph`, those of child graphs included; bodies of conditional nodes are not.
std::vector<NodeFacts> read_nodes(CUgraph graph);

/// Why the node may not stand in a body, and what to do instead, as the end of a sentence that
/// starts with the call; empty where it may.
std::string why_not_in_body(const NodeFacts& node);

/// One sentence a kind of offence: "the call `spmv` in cg/while#0 allocates device memory …".
/// Empty where all nodes may stand there.
std::vector<std::string> audit_body(const std::vector<NodeFacts>& nodes, std::string_view call,
                                    std::string_view region);

}  // namespace gyre::cuda
