/// An input on a device that is copied there while runs read other memory.
#pragma once

#include "gyre/cuda/event.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/executor.hpp"

#include <cstddef>
#include <span>

namespace gyre::executors {

/// Memory of the device, and pinned memory that is nobody else's, between which a copy waits for
/// runs and runs wait for it by events: the host waits for neither.
class DeviceInput final : public InputPlace {
 public:
  explicit DeviceInput(std::size_t bytes);
  /// Waits for the copy and for the runs that are under way.
  ~DeviceInput() override;

  void* data() const override { return reinterpret_cast<void*>(memory_.address()); }
  std::span<std::byte> values() override;
  void send() override;
  void before_run(void* stream) override;
  void behind_run(void* stream) override;

 private:
  cuda::DeviceMemory memory_;
  cuda::PinnedMemory values_;
  /// Behind the copy that was sent last, and behind the run that was started last.
  cuda::Event copied_;
  cuda::Event read_;
};

}  // namespace gyre::executors
