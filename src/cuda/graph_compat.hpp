/// The calls of graphs and captures whose form differs between CUDA 12.4 and 13, in one form.
///
/// The driver's table fixes the signatures (those of 12.3, with edge data); what is left of the
/// difference is here: constants that 12.4's headers lack, and edges as a pair of arrays.
#pragma once

#include "gyre/cuda/capture.hpp"
#include "gyre/cuda/graph.hpp"

#include <span>

namespace gyre::cuda::compat {

/// CU_GRAPH_COND_TYPE_SWITCH, which 12.4's headers do not name; drivers know it from 12.8 on.
inline constexpr auto conditional_switch = static_cast<CUgraphConditionalNodeType>(2);

/// Adds a node of any type; throws what the driver says.
CUgraphNode add_node(CUgraph graph, std::span<const Dependency> after, CUgraphNodeParams& params);

void add_dependencies(CUgraph graph, CUgraphNode node, std::span<const Dependency> after);

void begin_capture(CUstream stream, CUgraph graph, std::span<const Dependency> after);

/// The state of a capture; `graph` is null where the stream is not captured.
struct CaptureState {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  CUgraph graph = nullptr;
  std::vector<Dependency> last;
};
CaptureState capture_state(CUstream stream);

void set_capture_dependencies(CUstream stream, std::span<const Dependency> after);

}  // namespace gyre::cuda::compat
