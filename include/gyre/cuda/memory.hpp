/// Memory of the device, and memory of the host that the device can reach: owners, views, and the
/// asynchronous copies between them.
///
/// Leaves out copies as graph nodes (graph.hpp) and what a stranger's pointer points to
/// (pointer_facts.hpp).
#pragma once

#include "gyre/cuda/stream.hpp"

#include <cstddef>

namespace gyre::cuda {

/// A span of device memory that somebody else keeps alive.
struct DeviceView {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;

  /// The part of `length` bytes from `offset` on; InternalError where it does not fit.
  DeviceView part(std::size_t offset, std::size_t length) const;
};

/// Owns device memory of the context that is current when it is made. 256-byte aligned; contents
/// undefined at first. May be destroyed on any thread.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// `bytes` of 0 owns nothing and has a null address.
  explicit DeviceMemory(std::size_t bytes);
  ~DeviceMemory();
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&& other) noexcept;

  CUdeviceptr address() const { return view_.address; }
  std::size_t bytes() const { return view_.bytes; }
  DeviceView view() const { return view_; }
  operator DeviceView() const { return view_; }  // NOLINT: an owner lends itself

 private:
  void release() noexcept;

  DeviceView view_;
  CUcontext context_ = nullptr;
};

/// Owns page-locked host memory, zeroed. Copies to and from it are truly asynchronous and may stand
/// in graphs.
class PinnedMemory {
 public:
  /// `Mapped` memory has a device address as well: a kernel may store into it, the host may watch.
  enum class Access { Host, Mapped };

  PinnedMemory() = default;
  explicit PinnedMemory(std::size_t bytes, Access access = Access::Host);
  ~PinnedMemory();
  PinnedMemory(PinnedMemory&& other) noexcept;
  PinnedMemory& operator=(PinnedMemory&& other) noexcept;

  void* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  /// Where the device sees `Mapped` memory; 0 for `Host`.
  CUdeviceptr device_address() const { return device_address_; }

 private:
  void release() noexcept;

  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  CUdeviceptr device_address_ = 0;
  CUcontext context_ = nullptr;
};

/// Copies `bytes` from the host; pageable memory is read before the call returns.
void copy_to_device(DeviceView to, const void* from, std::size_t bytes, StreamView stream);
/// Copies `bytes` to the host, which holds them once the stream has come so far.
void copy_to_host(void* to, DeviceView from, std::size_t bytes, StreamView stream);
void copy_on_device(DeviceView to, DeviceView from, std::size_t bytes, StreamView stream);
/// Sets every byte to 0.
void clear(DeviceView memory, StreamView stream);

/// Free and total bytes of the current device.
struct MemoryInfo {
  std::size_t free_bytes = 0;
  std::size_t total_bytes = 0;
};
MemoryInfo memory_info();

}  // namespace gyre::cuda
