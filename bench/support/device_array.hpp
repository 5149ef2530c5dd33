/// Memory of the GPU that a bench owns, and its stream.
#pragma once

#include "gyre/base/error.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

namespace gyre::bench {

/// EnvironmentError, with CUDA's own words, unless `status` is success.
inline void must(cudaError_t status) {
  if (status == cudaSuccess) return;
  throw EnvironmentError(std::string(cudaGetErrorName(status)) + ": " + cudaGetErrorString(status));
}

/// `count` elements on the GPU; what they hold at first is unspecified.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  explicit DeviceArray(std::size_t count) : count_(count) {
    if (count != 0) must(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    fill_from(values);
  }
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(DeviceArray&& other) noexcept { swap(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    swap(other);
    return *this;
  }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    must(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return values;
  }
  /// Copies as many values as there are elements.
  void fill_from(const std::vector<T>& values) {
    must(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice));
  }
  /// Every bit becomes 0. Returns when it is done.
  void clear() {
    must(cudaMemset(data_, 0, bytes()));
    must(cudaDeviceSynchronize());
  }

 private:
  void swap(DeviceArray& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
  }

  T* data_ = nullptr;
  std::size_t count_ = 0;
};

/// A stream that waits for no other.
class BenchStream {
 public:
  BenchStream() { must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  ~BenchStream() { cudaStreamDestroy(stream_); }
  BenchStream(const BenchStream&) = delete;
  BenchStream& operator=(const BenchStream&) = delete;

  cudaStream_t get() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  void wait() const { must(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

}  // namespace gyre::bench
