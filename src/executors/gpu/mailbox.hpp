/// What host and device tell each other about launches: requests and results in host memory that
/// the device maps, one place for each launch that may wait in the queue.
#pragma once

#include "gyre/cuda/memory.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gyre::executors {

class Mailbox {
 public:
  /// `last_word`: the number of the word of a result that the device writes behind all that it has
  /// written elsewhere.
  Mailbox(std::size_t request_bytes, std::size_t result_words, std::size_t last_word,
          std::uint32_t places);

  std::uint32_t places() const { return places_; }
  std::size_t request_bytes() const { return request_bytes_; }
  std::size_t result_bytes() const { return result_bytes_; }
  CUdeviceptr requests() const { return requests_.device_address(); }
  CUdeviceptr results() const { return results_.device_address(); }

  /// The place of launch number `launch`, from 1 on.
  char* request(std::uint64_t launch) const { return place(requests_, request_bytes_, launch); }

  /// Whether all of a launch's result has come. Each word comes in two halves, and with each the
  /// low bits of the launch's number (kernels/launch.cuh).
  bool has_result(std::uint64_t launch) const;
  /// Its words, once all have come.
  std::vector<std::uint64_t> result(std::uint64_t launch) const;
  /// The low bits of the number of the launch that wrote last into that launch's place; 0: none
  /// has.
  std::uint32_t last_teller(std::uint64_t launch) const;

 private:
  using Halves = const volatile std::uint64_t*;

  Halves halves(std::uint64_t launch) const {
    return reinterpret_cast<Halves>(place(results_, result_bytes_, launch));
  }
  char* place(const cuda::PinnedMemory& memory, std::size_t bytes, std::uint64_t launch) const {
    return static_cast<char*>(memory.data()) + (launch - 1) % places_ * bytes;
  }

  std::size_t request_bytes_;
  std::size_t result_words_;
  std::size_t last_word_;
  std::size_t result_bytes_;
  std::uint32_t places_;
  cuda::PinnedMemory requests_;
  cuda::PinnedMemory results_;
};

}  // namespace gyre::executors
