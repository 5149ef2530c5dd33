/// A piece of a program that runs as one graph: built once, launched often, and set anew when
/// buffers move.
#pragma once

#include "graph_builder.hpp"
#include "gyre/cuda/graph_exec.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gyre::executors {

class Segment {
 public:
  /// `steps` outlive the segment. `host_words` as GraphBuilder takes them.
  Segment(const DeviceProgram& program, std::span<const jit::Step> steps,
          cuda::StreamView recording, const std::vector<std::uint64_t>& host_words);

  void launch(cuda::StreamView stream) const { exec_.launch(stream); }
  void upload(cuda::StreamView stream) const { exec_.upload(stream); }

  /// Takes over where the program's buffers lie now: node by node, or where the graph has changed
  /// its form by building it again. Launches under way keep what they were launched with.
  void rebind();

 private:
  struct Built {
    cuda::Graph graph;
    BuiltNodes nodes;
  };
  Built build() const;
  bool set_nodes();
  bool set_kernels();
  bool set_memory();
  void build_again();

  const DeviceProgram& program_;
  std::span<const jit::Step> steps_;
  cuda::StreamView recording_;
  std::vector<std::uint64_t> host_words_;
  /// Nodes are set by those of the graph that was instantiated.
  Built built_;
  /// Whose conditional handles the executable uses, where it was updated.
  std::optional<cuda::Graph> updated_from_;
  cuda::GraphExec exec_;
};

}  // namespace gyre::executors
