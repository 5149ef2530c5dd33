/// Steps of a bound program as nodes of a graph, conditional nodes and their bodies included.
///
/// Leaves out running the graph (segment.hpp) and recording calls (calls.hpp).
#pragma once

#include "device_program.hpp"
#include "gyre/cuda/graph.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gyre::executors {

/// What was put where, for setting nodes anew when buffers move.
struct BuiltNodes {
  struct Kernel {
    CUgraphNode node;
    const jit::Step* step;
    DeviceProgram::Prepared prepared;
  };
  struct Clear {
    CUgraphNode node;
    ir::SymbolId buffer;
    cuda::DeviceView memory;
  };
  struct Copy {
    CUgraphNode node;
    ir::SymbolId to;
    ir::SymbolId from;
    cuda::DeviceView to_memory;
    cuda::DeviceView from_memory;
  };
  std::vector<Kernel> kernels;
  std::vector<Clear> clears;
  std::vector<Copy> copies;
  /// A clear or copy of nothing was left out.
  bool has_gaps = false;
  /// Recorded calls hold addresses that only they know.
  bool has_calls = false;
  /// The word of each decision, by number.
  std::vector<std::uint64_t> decisions;
  /// Where kernels find the handles of arms that are IF nodes.
  cuda::DeviceMemory arm_handles;
};

class GraphBuilder {
 public:
  /// Calls are recorded on `recording`. `host_words`: where the host reads the decisions that are
  /// its own, by number; 0 for those of conditional nodes.
  GraphBuilder(const DeviceProgram& program, cuda::StreamView recording,
               std::vector<std::uint64_t> host_words);

  /// Adds `steps` behind `after`; returns what follows depends on.
  std::vector<cuda::Dependency> add(const cuda::GraphView& graph, std::span<const jit::Step> steps,
                                    std::vector<cuda::Dependency> after);

  /// After the last `add`. Handles in tables are on the device when it returns.
  BuiltNodes finish();

 private:
  using Last = std::vector<cuda::Dependency>;

  void make_handles(const cuda::GraphView& graph, std::span<const jit::Step> steps);
  bool splits_arms(const jit::Step& step) const;
  std::size_t add_step(const cuda::GraphView& graph, const jit::Step& step, Last& last);
  /// What a kernel waits for, and whether it may start before that has ended.
  Last before_kernel(const jit::EmittedKernel& kernel, const Last& last) const;
  std::size_t add_kernel(const cuda::GraphView& graph, const jit::Step& step, Last& last);
  std::size_t add_call(const cuda::GraphView& graph, const jit::Step& step, Last& last);
  std::size_t add_side_by_side(const cuda::GraphView& graph, const jit::Step& step, Last& last);
  bool takes_the_device(const std::vector<jit::Step>& steps) const;
  static void add_ends(const Last& of_arm, Last& ends);
  std::size_t leave_gap();
  std::size_t add_clear(const cuda::GraphView& graph, const plan::Clear& clear, Last& last);
  std::size_t add_copy(const cuda::GraphView& graph, const plan::CopyBuffer& copy, Last& last);
  std::size_t add_branch(const cuda::GraphView& graph, const jit::Step& step, Last& last);
  std::size_t add_arms(const cuda::GraphView& graph, const jit::Step& step, Last& last);
  void add_body(const cuda::GraphView& body, const jit::Step& step, std::size_t block,
                std::size_t least);

  const DeviceProgram& program_;
  cuda::StreamView recording_;
  BuiltNodes built_;
  /// Handles of arms that are IF nodes, and where each branch's begin, by number.
  std::vector<cuda::ConditionalHandle> arm_handles_;
  std::vector<std::size_t> first_arm_;
  /// The kernel that was added last.
  CUgraphNode last_kernel_ = nullptr;
  /// Whether the device lets a kernel start before the one in front of it has ended.
  bool may_start_early_;
};

}  // namespace gyre::executors
