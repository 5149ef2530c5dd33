/// Times by the clock of the GPU.
#pragma once

#include "support/device_array.hpp"

#include <functional>

namespace gyre::bench {

/// Measures what a stream does between two events.
class DeviceClock {
 public:
  DeviceClock() {
    must(cudaEventCreate(&start_));
    must(cudaEventCreate(&end_));
  }
  ~DeviceClock() {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }
  DeviceClock(const DeviceClock&) = delete;
  DeviceClock& operator=(const DeviceClock&) = delete;

  /// Microseconds that the GPU spends on what `work` puts on `stream`; waits for it.
  double microseconds(cudaStream_t stream, const std::function<void()>& work) {
    must(cudaEventRecord(start_, stream));
    work();
    must(cudaEventRecord(end_, stream));
    must(cudaEventSynchronize(end_));
    float milliseconds = 0;
    must(cudaEventElapsedTime(&milliseconds, start_, end_));
    return milliseconds * 1e3;
  }

 private:
  cudaEvent_t start_ = nullptr;
  cudaEvent_t end_ = nullptr;
};

}  // namespace gyre::bench
