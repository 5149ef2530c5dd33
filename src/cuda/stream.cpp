#include "gyre/cuda/stream.hpp"

#include "gyre/cuda/check.hpp"

#include <utility>

namespace gyre::cuda {
namespace {

// Priorities out of the device's range are clamped to it; lower numbers go first.
constexpr int highest_priority = -100;

}  // namespace

void StreamView::synchronize() const {
  GYRE_CUDA_CALL(cuStreamSynchronize(stream_));
}

void StreamView::drain() const noexcept {
  driver()->cuStreamSynchronize(stream_);
}

bool StreamView::is_done() const {
  const CUresult result = loaded_driver().cuStreamQuery(stream_);
  if (result == CUDA_ERROR_NOT_READY) return false;
  check(result, "cuStreamQuery");
  return true;
}

void StreamView::wait(CUevent event) const {
  GYRE_CUDA_CALL(cuStreamWaitEvent(stream_, event, CU_EVENT_WAIT_DEFAULT));
}

Stream::Stream(Priority priority, Legacy legacy) {
  const unsigned flags = legacy == Legacy::Ordered ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING;
  GYRE_CUDA_CALL(cuStreamCreateWithPriority(&stream_, flags,
                                            priority == Priority::High ? highest_priority : 0));
}

Stream::~Stream() {
  release();
}

Stream::Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}

Stream& Stream::operator=(Stream&& other) noexcept {
  if (this != &other) {
    release();
    stream_ = std::exchange(other.stream_, nullptr);
  }
  return *this;
}

void Stream::release() noexcept {
  if (stream_ == nullptr) return;
  report_failed_release(driver()->cuStreamDestroy(stream_), "cuStreamDestroy");
  stream_ = nullptr;
}

}  // namespace gyre::cuda
