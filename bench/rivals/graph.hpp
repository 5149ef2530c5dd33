/// CUDA graphs as they are made without gyre: recorded from a stream.
#pragma once

#include "support/device_array.hpp"

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include <cuda_runtime.h>

namespace gyre::bench::rivals {

struct DestroyExec {
  void operator()(cudaGraphExec_t exec) const { cudaGraphExecDestroy(exec); }
};
/// A graph that can be launched.
using GraphExec = std::unique_ptr<std::remove_pointer_t<cudaGraphExec_t>, DestroyExec>;

/// The graph of what `work` puts on `stream`.
GraphExec record_graph(cudaStream_t stream, const std::function<void()>& work);

/// The same with a WHILE node behind `before`, which holds what `body` puts on the stream. Both set
/// the node's handle.
using ConditionalWork = std::function<void(cudaGraphConditionalHandle)>;
GraphExec record_while_graph(cudaStream_t stream, const ConditionalWork& before,
                             const ConditionalWork& body);

/// The same with a conditional node of so many arms, which hold what `arm(0)`, `arm(1)`, … put on
/// the stream.
GraphExec record_branch_graph(cudaStream_t stream, cudaGraphConditionalNodeType type, int arms,
                              const ConditionalWork& before, const std::function<void(int)>& arm);

}  // namespace gyre::bench::rivals
