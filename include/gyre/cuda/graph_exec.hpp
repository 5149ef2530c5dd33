/// Graphs that run: instantiating, launching, and changing one without building it anew.
#pragma once

#include "gyre/cuda/graph.hpp"

namespace gyre::cuda {

/// Whether an executable took over another graph's parameters, and if not, why.
struct GraphUpdate {
  bool done = false;
  /// "the topology changed at cg/while#0 kernel cg_2"; empty where it is done.
  std::string reason;
};

/// Owns an executable graph. Two launches of one run one after the other, on whichever streams.
class GraphExec {
 public:
  /// Throws EnvironmentError naming the node that cannot run. The graph may go afterwards.
  explicit GraphExec(const Graph& graph);
  ~GraphExec();
  GraphExec(GraphExec&& other) noexcept;
  GraphExec& operator=(GraphExec&& other) noexcept;

  CUgraphExec get() const { return exec_; }
  /// Brings the graph to the device, so that the first launch does not.
  void upload(StreamView stream) const;
  void launch(StreamView stream) const;
  /// Takes over the parameters of `graph`, built in the same way as this one's. A refusal leaves
  /// this executable as it was.
  GraphUpdate update(const Graph& graph) const;
  /// Launches after this call run the kernel of `node`, a node of the graph this was made from,
  /// with new arguments and shape; the function stays on its context and keeps its attributes.
  void set_kernel(CUgraphNode node, const KernelNode& kernel) const;
  /// The same for a node that clears, and one that copies.
  void set_clear(CUgraphNode node, DeviceView memory) const;
  void set_copy(CUgraphNode node, CUdeviceptr to, CUdeviceptr from, std::size_t bytes) const;

 private:
  void release() noexcept;

  CUgraphExec exec_ = nullptr;
  std::string name_;
};

}  // namespace gyre::cuda
