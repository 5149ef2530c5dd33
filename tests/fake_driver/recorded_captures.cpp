#include "recorded_captures.hpp"

#include <cstring>
#include <map>

namespace recorded {
namespace {

struct Capture {
  Graph* into = nullptr;
  Node* last = nullptr;
  bool broken = false;
};

std::map<CUstream, Capture> captures;
CUstreamCaptureMode thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
// How many of the captures to come are broken by some other thread.
int broken_by_others = 0;

CUresult exchange_mode(CUstreamCaptureMode* mode) {
  std::swap(*mode, thread_mode);
  return CUDA_SUCCESS;
}

CUresult begin(CUstream stream, CUgraph graph, const CUgraphNode*, const CUgraphEdgeData*,
               std::size_t, CUstreamCaptureMode) {
  if (captures.contains(stream)) return CUDA_ERROR_ILLEGAL_STATE;
  captures[stream] = {reinterpret_cast<Graph*>(graph), nullptr, broken_by_others > 0};
  if (broken_by_others > 0) --broken_by_others;
  return CUDA_SUCCESS;
}

CUresult info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t*, CUgraph* graph,
              const CUgraphNode** last, const CUgraphEdgeData** data, std::size_t* count) {
  const auto found = captures.find(stream);
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  if (found == captures.end()) return CUDA_SUCCESS;
  *status =
      found->second.broken ? CU_STREAM_CAPTURE_STATUS_INVALIDATED : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  *graph = reinterpret_cast<CUgraph>(found->second.into);
  *last = reinterpret_cast<const CUgraphNode*>(&found->second.last);
  *data = nullptr;
  *count = found->second.last == nullptr ? 0 : 1;
  return CUDA_SUCCESS;
}

CUresult end(CUstream stream, CUgraph* graph) {
  const auto found = captures.find(stream);
  if (found == captures.end()) return CUDA_ERROR_ILLEGAL_STATE;
  const Capture capture = found->second;
  captures.erase(found);
  *graph = capture.broken ? nullptr : reinterpret_cast<CUgraph>(capture.into);
  return capture.broken ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
}

CUresult synchronize(CUstream stream) {
  const auto found = captures.find(stream);
  if (found == captures.end()) return CUDA_SUCCESS;
  found->second.broken = true;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

// Whether the work became a node; else it is done at once.
bool captured(CUstream stream, CUgraphNodeType type, std::string what) {
  const auto found = captures.find(stream);
  if (found == captures.end()) return false;
  auto node = std::make_unique<Node>();
  node->type = type;
  node->what = std::move(what);
  if (found->second.last != nullptr) node->after.push_back(found->second.last);
  found->second.last = node.get();
  found->second.into->nodes.push_back(std::move(node));
  return true;
}

CUresult clear(CUdeviceptr memory, unsigned char value, std::size_t bytes, CUstream stream) {
  if (!captured(stream, CU_GRAPH_NODE_TYPE_MEMSET,
                "clear of " + std::to_string(bytes) + " bytes")) {
    std::memset(reinterpret_cast<void*>(memory), value, bytes);
  }
  return CUDA_SUCCESS;
}

CUresult copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  if (!captured(stream, CU_GRAPH_NODE_TYPE_MEMCPY, "copy of " + std::to_string(bytes) + " bytes")) {
    std::memcpy(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  }
  return CUDA_SUCCESS;
}

CUresult host_function(CUstream stream, CUhostFn function, void* data) {
  if (!captured(stream, CU_GRAPH_NODE_TYPE_HOST, "host function")) function(data);
  return CUDA_SUCCESS;
}

}  // namespace

bool forbid_while_captured() {
  if (captures.empty() || thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED) return false;
  for (auto& [stream, capture] : captures) capture.broken = true;
  return true;
}

void* function_of_captures(std::string_view name) {
  static const std::map<std::string_view, void*> functions = {
      {"cuThreadExchangeStreamCaptureMode", reinterpret_cast<void*>(&exchange_mode)},
      {"cuStreamBeginCaptureToGraph", reinterpret_cast<void*>(&begin)},
      {"cuStreamGetCaptureInfo", reinterpret_cast<void*>(&info)},
      {"cuStreamEndCapture", reinterpret_cast<void*>(&end)},
      {"cuStreamSynchronize", reinterpret_cast<void*>(&synchronize)},
      {"cuMemsetD8Async", reinterpret_cast<void*>(&clear)},
      {"cuMemcpyHtoDAsync", reinterpret_cast<void*>(&copy)},
      {"cuMemcpyDtoHAsync", reinterpret_cast<void*>(&copy)},
      {"cuMemcpyDtoDAsync", reinterpret_cast<void*>(&copy)},
      {"cuLaunchHostFunc", reinterpret_cast<void*>(&host_function)},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace recorded

/// As if another thread waited for the whole device while each of the next `count` captures is
/// open.
extern "C" void break_captures(int count) {
  recorded::broken_by_others = count;
}
