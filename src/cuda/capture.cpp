#include "gyre/cuda/capture.hpp"

#include "graph_compat.hpp"
#include "gyre/cuda/check.hpp"

namespace gyre::cuda {

// Whatever this thread was allowed beside captures, it is not allowed within this one.
Capture::Capture(StreamView stream, const GraphView& target, std::span<const Dependency> after)
    : stream_(stream), mode_(CU_STREAM_CAPTURE_MODE_THREAD_LOCAL) {
  compat::begin_capture(stream.get(), target.get(), after);
  GYRE_CUDA_CALL(cuThreadExchangeStreamCaptureMode(&mode_));
}

Capture::~Capture() {
  if (!open_) return;
  leave();
  // Whatever went wrong is already on its way as an exception.
  CUgraph graph = nullptr;
  driver()->cuStreamEndCapture(stream_.get(), &graph);
}

std::vector<Dependency> Capture::end() {
  compat::CaptureState state = compat::capture_state(stream_.get());
  open_ = false;
  leave();
  CUgraph graph = nullptr;
  GYRE_CUDA_CALL(cuStreamEndCapture(stream_.get(), &graph));
  return std::move(state.last);
}

void Capture::leave() noexcept {
  report_failed_release(driver()->cuThreadExchangeStreamCaptureMode(&mode_),
                        "cuThreadExchangeStreamCaptureMode");
}

std::optional<LiveCapture> live_capture(StreamView stream) {
  compat::CaptureState state = compat::capture_state(stream.get());
  switch (state.status) {
    case CU_STREAM_CAPTURE_STATUS_NONE: return std::nullopt;
    case CU_STREAM_CAPTURE_STATUS_INVALIDATED:
      check(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "joining the stream's capture");
      return std::nullopt;
    case CU_STREAM_CAPTURE_STATUS_ACTIVE: break;
  }
  return LiveCapture{.id = state.id, .graph = state.graph, .last = std::move(state.last)};
}

void continue_capture(StreamView stream, std::span<const Dependency> after) {
  compat::set_capture_dependencies(stream.get(), after);
}

BesideCaptures::BesideCaptures() : mode_(CU_STREAM_CAPTURE_MODE_RELAXED) {
  GYRE_CUDA_CALL(cuThreadExchangeStreamCaptureMode(&mode_));
}

BesideCaptures::~BesideCaptures() {
  report_failed_release(driver()->cuThreadExchangeStreamCaptureMode(&mode_),
                        "cuThreadExchangeStreamCaptureMode");
}

}  // namespace gyre::cuda
