/// What host and device tell each other about launches: requests and results in host memory that
/// the device maps, one place for each launch that may wait in the queue.
#pragma once

#include "gyre/cuda/memory.hpp"

#include <cstddef>
#include <cstdint>

namespace gyre::executors {

class Mailbox {
 public:
  Mailbox(std::size_t request_bytes, std::size_t result_bytes, std::uint32_t places);

  std::uint32_t places() const { return places_; }
  std::size_t request_bytes() const { return request_bytes_; }
  std::size_t result_bytes() const { return result_bytes_; }
  CUdeviceptr requests() const { return requests_.device_address(); }
  CUdeviceptr results() const { return results_.device_address(); }

  /// The place of launch number `launch`, from 1 on.
  char* request(std::uint64_t launch) const { return place(requests_, request_bytes_, launch); }
  const char* result(std::uint64_t launch) const { return place(results_, result_bytes_, launch); }

 private:
  char* place(const cuda::PinnedMemory& memory, std::size_t bytes, std::uint64_t launch) const {
    return static_cast<char*>(memory.data()) + (launch - 1) % places_ * bytes;
  }

  std::size_t request_bytes_;
  std::size_t result_bytes_;
  std::uint32_t places_;
  cuda::PinnedMemory requests_;
  cuda::PinnedMemory results_;
};

}  // namespace gyre::executors
