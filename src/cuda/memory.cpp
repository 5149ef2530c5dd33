#include "gyre/cuda/memory.hpp"

#include "free_in.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/context.hpp"

#include <cstring>
#include <string>
#include <utility>

namespace gyre::cuda {
namespace {

void check_fits(DeviceView memory, std::size_t bytes) {
  GYRE_CHECK(bytes <= memory.bytes, "a copy of " + std::to_string(bytes) + " bytes stays within " +
                                        std::to_string(memory.bytes));
}

}  // namespace

DeviceView DeviceView::part(std::size_t offset, std::size_t length) const {
  GYRE_CHECK(offset <= bytes && length <= bytes - offset,
             "a part lies within the " + std::to_string(bytes) + " bytes of its whole");
  return {address + offset, length};
}

DeviceMemory::DeviceMemory(std::size_t bytes) {
  if (bytes == 0) return;
  const During during("allocating " + std::to_string(bytes) + " bytes of device memory");
  context_ = current_context();
  GYRE_CUDA_CALL(cuMemAlloc(&view_.address, bytes));
  view_.bytes = bytes;
}

DeviceMemory::~DeviceMemory() {
  release();
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : view_(std::exchange(other.view_, {})), context_(other.context_) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  if (this != &other) {
    release();
    view_ = std::exchange(other.view_, {});
    context_ = other.context_;
  }
  return *this;
}

void DeviceMemory::release() noexcept {
  if (view_.address == 0) return;
  free_in(context_, "cuMemFree", [this] { return driver()->cuMemFree(view_.address); });
  view_ = {};
}

PinnedMemory::PinnedMemory(std::size_t bytes, Access access) {
  if (bytes == 0) return;
  const During during("allocating " + std::to_string(bytes) + " bytes of pinned memory");
  context_ = current_context();
  const bool mapped = access == Access::Mapped;
  GYRE_CUDA_CALL(cuMemHostAlloc(
      &data_, bytes, CU_MEMHOSTALLOC_PORTABLE | (mapped ? CU_MEMHOSTALLOC_DEVICEMAP : 0U)));
  bytes_ = bytes;
  std::memset(data_, 0, bytes);
  if (!mapped) return;
  const CUresult result = loaded_driver().cuMemHostGetDevicePointer(&device_address_, data_, 0);
  // A constructor that throws has no destructor to free what it took.
  if (result != CUDA_SUCCESS) release();
  check(result, "cuMemHostGetDevicePointer");
}

PinnedMemory::~PinnedMemory() {
  release();
}

PinnedMemory::PinnedMemory(PinnedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      device_address_(std::exchange(other.device_address_, 0)),
      context_(other.context_) {}

PinnedMemory& PinnedMemory::operator=(PinnedMemory&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
    device_address_ = std::exchange(other.device_address_, 0);
    context_ = other.context_;
  }
  return *this;
}

void PinnedMemory::release() noexcept {
  if (data_ == nullptr) return;
  free_in(context_, "cuMemFreeHost", [this] { return driver()->cuMemFreeHost(data_); });
  data_ = nullptr;
  bytes_ = 0;
  device_address_ = 0;
}

void copy_to_device(DeviceView to, const void* from, std::size_t bytes, StreamView stream) {
  check_fits(to, bytes);
  if (bytes == 0) return;
  GYRE_CUDA_CALL(cuMemcpyHtoDAsync(to.address, from, bytes, stream.get()));
}

void copy_to_host(void* to, DeviceView from, std::size_t bytes, StreamView stream) {
  check_fits(from, bytes);
  if (bytes == 0) return;
  GYRE_CUDA_CALL(cuMemcpyDtoHAsync(to, from.address, bytes, stream.get()));
}

void copy_on_device(DeviceView to, DeviceView from, std::size_t bytes, StreamView stream) {
  check_fits(to, bytes);
  check_fits(from, bytes);
  if (bytes == 0) return;
  GYRE_CUDA_CALL(cuMemcpyDtoDAsync(to.address, from.address, bytes, stream.get()));
}

void clear(DeviceView memory, StreamView stream) {
  if (memory.bytes == 0) return;
  GYRE_CUDA_CALL(cuMemsetD8Async(memory.address, 0, memory.bytes, stream.get()));
}

MemoryInfo memory_info() {
  MemoryInfo info;
  GYRE_CUDA_CALL(cuMemGetInfo(&info.free_bytes, &info.total_bytes));
  return info;
}

}  // namespace gyre::cuda
