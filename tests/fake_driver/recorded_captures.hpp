// What the recording driver remembers of graphs, and how work on its streams becomes part of them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <cuda.h>

namespace recorded {

struct Graph;

struct Node {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  std::string what = {};
  std::vector<const Node*> after = {};
  std::vector<Graph*> bodies = {};
};

struct Graph {
  std::vector<std::unique_ptr<Node>> nodes = {};
  std::vector<CUgraphConditionalHandle> handles = {};
};

// For what may not be done while a stream is captured: whether one is and this thread has not
// relaxed its mode. It breaks the capture.
bool forbid_while_captured();

// The driver's function of that name where it puts something on a stream or captures one, else
// null.
void* function_of_captures(std::string_view name);

}  // namespace recorded
