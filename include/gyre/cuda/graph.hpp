/// Graphs under construction: the owner of one, views of it and of the bodies of its conditional
/// nodes, and the kinds of nodes that gyre puts there.
///
/// Leaves out running one (graph_exec.hpp), recording calls into one (capture.hpp) and judging what
/// was recorded (body_audit.hpp).
#pragma once

#include "gyre/cuda/memory.hpp"
#include "gyre/cuda/module.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gyre::cuda {

/// What a node waits for. A `programmatic` edge lets a kernel start before `node`, a kernel too,
/// has ended (PDL); the kernel must then wait for it itself.
struct Dependency {
  CUgraphNode node = nullptr;
  bool programmatic = false;
};

/// Names of nodes, for errors: CUDA knows a node only by its address. A name is the region path and
/// what stands there: "cg/while#0 kernel cg_2".
using NodeNames = std::unordered_map<CUgraphNode, std::string>;

/// A kernel and what it is launched with. `arguments` point to values, which are copied.
struct KernelNode {
  Function function;
  LaunchShape shape;
  std::span<void* const> arguments;
};

/// What decides a conditional node: a value that a kernel sets with cudaGraphSetConditional.
using ConditionalHandle = CUgraphConditionalHandle;

/// `If` has one body, or two where the driver has ELSE; `While` has one; `Switch` any number.
enum class ConditionalKind { If, While, Switch };

struct ConditionalNode;

/// A graph, a conditional node's body, or a graph that a caller's stream is captured into; somebody
/// else keeps it alive. Every `add_…` returns the new node, which starts after `after`.
class GraphView {
 public:
  GraphView(CUgraph graph, std::shared_ptr<NodeNames> names);

  CUgraph get() const { return graph_; }
  const std::shared_ptr<NodeNames>& names() const { return names_; }

  CUgraphNode add_kernel(const std::string& name, const KernelNode& kernel,
                         std::span<const Dependency> after) const;
  /// Sets every byte to 0.
  CUgraphNode add_clear(const std::string& name, DeviceView memory,
                        std::span<const Dependency> after) const;
  /// Either address may be that of pinned host memory, never of pageable memory.
  CUgraphNode add_copy(const std::string& name, CUdeviceptr to, CUdeviceptr from, std::size_t bytes,
                       std::span<const Dependency> after) const;
  /// A kernel node of another graph, with its arguments and attributes.
  CUgraphNode add_kernel_like(const std::string& name, CUgraphNode other,
                              std::span<const Dependency> after) const;
  /// Copies `child`, which holds no conditional node.
  CUgraphNode add_child(const std::string& name, CUgraph child,
                        std::span<const Dependency> after) const;
  /// A node without work: a join.
  CUgraphNode add_empty(std::span<const Dependency> after) const;
  /// `node` waits for `after` too.
  void add_dependencies(CUgraphNode node, std::span<const Dependency> after) const;

  /// A handle for one conditional node of this graph. `at_launch` is its value when the whole graph
  /// is launched, never again when a body is entered: a nested node's handle is set by a kernel.
  ConditionalHandle make_handle(std::optional<unsigned> at_launch = std::nullopt) const;
  ConditionalNode add_conditional(const std::string& name, ConditionalKind kind,
                                  ConditionalHandle handle, unsigned bodies,
                                  std::span<const Dependency> after) const;

 private:
  CUgraphNode add(const std::string& name, std::span<const Dependency> after,
                  CUgraphNodeParams& params) const;

  CUgraph graph_;
  std::shared_ptr<NodeNames> names_;
};

/// A conditional node and its bodies, empty at first. An empty body hangs drivers before 12.8.
struct ConditionalNode {
  CUgraphNode node = nullptr;
  std::vector<GraphView> bodies;
};

/// Owns a graph; `name` says in errors whose it is.
class Graph {
 public:
  explicit Graph(std::string name);
  ~Graph();
  Graph(Graph&& other) noexcept;
  Graph& operator=(Graph&& other) noexcept;

  CUgraph get() const { return graph_; }
  const std::string& name() const { return name_; }
  GraphView view() const { return {graph_, names_}; }
  /// The driver has destroyed the graph: nothing is owned any more.
  void abandon() noexcept { graph_ = nullptr; }
  /// How `node` is called in errors; "a node" where it has no name.
  std::string name_of(CUgraphNode node) const;

 private:
  void release() noexcept;

  CUgraph graph_ = nullptr;
  std::string name_;
  std::shared_ptr<NodeNames> names_;
};

}  // namespace gyre::cuda
