#include "rivals/graph.hpp"

namespace gyre::bench::rivals {
namespace {

class Graph {
 public:
  Graph() { must(cudaGraphCreate(&graph_, 0)); }
  ~Graph() { cudaGraphDestroy(graph_); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  cudaGraph_t get() const { return graph_; }

 private:
  cudaGraph_t graph_ = nullptr;
};

// Adds what `work` puts on the stream to `graph`; the stream tells what came last.
void record_into(cudaGraph_t graph, cudaStream_t stream, const std::function<void()>& work) {
  must(cudaStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0,
                                     cudaStreamCaptureModeThreadLocal));
  work();
  cudaGraph_t same = nullptr;
  must(cudaStreamEndCapture(stream, &same));
}

// The nodes of a chain that have none behind them: its last one.
cudaGraphNode_t last_of(cudaGraph_t graph) {
  std::size_t count = 0;
  must(cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  must(cudaGraphGetNodes(graph, nodes.data(), &count));
  return nodes.empty() ? nullptr : nodes.back();
}

// Adds a conditional node behind `last`; gives the graphs that it holds.
std::vector<cudaGraph_t> add_conditional(cudaGraph_t graph, cudaGraphNode_t last,
                                         cudaGraphConditionalHandle handle,
                                         cudaGraphConditionalNodeType type, int arms) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeConditional;
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = static_cast<unsigned>(arms);
  cudaGraphNode_t node = nullptr;
#if CUDART_VERSION >= 13000
  must(cudaGraphAddNode(&node, graph, &last, nullptr, 1, &parameters));
#else
  must(cudaGraphAddNode(&node, graph, &last, 1, &parameters));
#endif
  cudaGraph_t* held = parameters.conditional.phGraph_out;
  return {held, held + arms};
}

GraphExec instantiate(const Graph& graph) {
  cudaGraphExec_t exec = nullptr;
  must(cudaGraphInstantiate(&exec, graph.get(), 0));
  return GraphExec(exec);
}

}  // namespace

GraphExec record_graph(cudaStream_t stream, const std::function<void()>& work) {
  const Graph graph;
  record_into(graph.get(), stream, work);
  return instantiate(graph);
}

GraphExec record_while_graph(cudaStream_t stream, const ConditionalWork& before,
                             const ConditionalWork& body) {
  const Graph graph;
  cudaGraphConditionalHandle handle = {};
  must(cudaGraphConditionalHandleCreate(&handle, graph.get(), 0, 0));
  record_into(graph.get(), stream, [&] { before(handle); });
  const auto held =
      add_conditional(graph.get(), last_of(graph.get()), handle, cudaGraphCondTypeWhile, 1);
  record_into(held[0], stream, [&] { body(handle); });
  return instantiate(graph);
}

GraphExec record_branch_graph(cudaStream_t stream, cudaGraphConditionalNodeType type, int arms,
                              const ConditionalWork& before, const std::function<void(int)>& arm) {
  const Graph graph;
  cudaGraphConditionalHandle handle = {};
  must(cudaGraphConditionalHandleCreate(&handle, graph.get(), 0, 0));
  record_into(graph.get(), stream, [&] { before(handle); });
  const auto held = add_conditional(graph.get(), last_of(graph.get()), handle, type, arms);
  for (int i = 0; i < arms; ++i) {
    record_into(held[static_cast<std::size_t>(i)], stream, [&] { arm(i); });
  }
  return instantiate(graph);
}

}  // namespace gyre::bench::rivals
