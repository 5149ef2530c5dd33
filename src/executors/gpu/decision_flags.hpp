/// The words through which decisions reach the host, one for each branch of a plan.
#pragma once

#include "gyre/cuda/memory.hpp"
#include "gyre/executors/gpu.hpp"
#include "wait.hpp"

#include <cstdint>

namespace gyre::executors {

class DecisionFlags {
 public:
  DecisionFlags(HostBranchOptions::Flag flag, std::uint32_t count);

  /// Where a kernel stores the decision of branch `number`.
  CUdeviceptr address(std::uint32_t number) const;

  /// Waits for the decision of branch `number`, which a kernel on `stream` stores.
  std::uint32_t read(std::uint32_t number, cuda::StreamView stream, const Attention& attention);

  /// Leaves no decision to be read.
  void forget() noexcept;

 private:
  volatile std::uint32_t* word(std::uint32_t number) const {
    return static_cast<std::uint32_t*>(pinned_.data()) + number;
  }

  HostBranchOptions::Flag flag_;
  std::uint32_t count_;
  cuda::DeviceMemory device_;
  cuda::PinnedMemory pinned_;
};

}  // namespace gyre::executors
