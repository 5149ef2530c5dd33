#include "gyre/cuda/event.hpp"

#include "gyre/cuda/check.hpp"

#include <utility>

namespace gyre::cuda {

Event::Event(Purpose purpose) {
  GYRE_CUDA_CALL(cuEventCreate(
      &event_, purpose == Purpose::Timing ? CU_EVENT_DEFAULT : CU_EVENT_DISABLE_TIMING));
}

Event::~Event() {
  release();
}

Event::Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}

Event& Event::operator=(Event&& other) noexcept {
  if (this != &other) {
    release();
    event_ = std::exchange(other.event_, nullptr);
  }
  return *this;
}

void Event::record(StreamView stream) const {
  GYRE_CUDA_CALL(cuEventRecord(event_, stream.get()));
}

void Event::synchronize() const {
  GYRE_CUDA_CALL(cuEventSynchronize(event_));
}

void Event::drain() const noexcept {
  report_failed_release(driver()->cuEventSynchronize(event_), "cuEventSynchronize");
}

bool Event::is_done() const {
  const CUresult result = loaded_driver().cuEventQuery(event_);
  if (result == CUDA_ERROR_NOT_READY) return false;
  check(result, "cuEventQuery");
  return true;
}

void Event::release() noexcept {
  if (event_ == nullptr) return;
  report_failed_release(driver()->cuEventDestroy(event_), "cuEventDestroy");
  event_ = nullptr;
}

double elapsed_ms(const Event& start, const Event& end) {
  float milliseconds = 0;
  GYRE_CUDA_CALL(cuEventElapsedTime(&milliseconds, start.get(), end.get()));
  return static_cast<double>(milliseconds);
}

}  // namespace gyre::cuda
