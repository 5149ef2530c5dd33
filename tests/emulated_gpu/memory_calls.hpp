/// The driver's calls on memory. All of it is the host's.
#pragma once

#include "allocations.hpp"
#include "stream_calls.hpp"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <cuda.h>

namespace emulated {

inline constexpr std::size_t total_memory = std::size_t{8} << 30;

template <class T>
T* memory(CUdeviceptr address) {
  return reinterpret_cast<T*>(address);
}

inline Allocations& allocations() {
  static auto* all = new Allocations;
  return *all;
}
inline CUresult allocate(CUdeviceptr* address, std::size_t bytes) {
  if (bytes > total_memory - allocations().held()) return CUDA_ERROR_OUT_OF_MEMORY;
  // Rubbish, as a device gives it.
  auto* made = static_cast<char*>(std::malloc(bytes));
  if (made == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  std::memset(made, 0x5a, bytes);
  *address = reinterpret_cast<CUdeviceptr>(made);
  allocations().add(*address, bytes);
  return CUDA_SUCCESS;
}
inline CUresult release(CUdeviceptr address) {
  allocations().remove(address);
  std::free(memory<void>(address));
  return CUDA_SUCCESS;
}
inline CUresult memory_left(std::size_t* free_bytes, std::size_t* total) {
  *free_bytes = total_memory - allocations().held();
  *total = total_memory;
  return CUDA_SUCCESS;
}
inline Allocations& pinned() {
  static auto* all = new Allocations;
  return *all;
}
inline CUresult allocate_host(void** address, std::size_t bytes, unsigned) {
  *address = std::calloc(1, bytes);
  if (*address == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  pinned().add(reinterpret_cast<CUdeviceptr>(*address), bytes);
  return CUDA_SUCCESS;
}
inline CUresult release_host(void* address) {
  pinned().remove(reinterpret_cast<CUdeviceptr>(address));
  std::free(address);
  return CUDA_SUCCESS;
}
inline CUresult host_pointer(CUdeviceptr* address, void* host, unsigned) {
  *address = reinterpret_cast<CUdeviceptr>(host);
  return CUDA_SUCCESS;
}
// All memory is the device's; what it was not asked for, as a vector's, has no range.
inline CUresult pointer_attributes(unsigned count, CUpointer_attribute* which, void** places,
                                   CUdeviceptr address) {
  const Allocations::Found found = allocations().find(address);
  for (unsigned i = 0; i < count; ++i) {
    if (which[i] == CU_POINTER_ATTRIBUTE_MEMORY_TYPE) {
      *static_cast<CUmemorytype*>(places[i]) = CU_MEMORYTYPE_DEVICE;
    }
    if (which[i] == CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL) *static_cast<int*>(places[i]) = 0;
    if (which[i] == CU_POINTER_ATTRIBUTE_RANGE_START_ADDR) {
      *static_cast<CUdeviceptr*>(places[i]) = found.begin;
    }
    if (which[i] == CU_POINTER_ATTRIBUTE_RANGE_SIZE) {
      *static_cast<std::size_t*>(places[i]) = found.bytes;
    }
    if (which[i] == CU_POINTER_ATTRIBUTE_BUFFER_ID)
      *static_cast<unsigned long long*>(places[i]) = found.number;
  }
  return CUDA_SUCCESS;
}
inline bool is_pinned(const void* address) {
  return pinned().find(reinterpret_cast<CUdeviceptr>(address)).bytes != 0;
}
// Pageable memory is read before the call returns.
inline CUresult to_device(CUdeviceptr to, const void* from, std::size_t bytes, CUstream stream) {
  if (is_pinned(from)) {
    stream_of(stream).put([=] {
      // It takes its time: who does not wait for it finds what was there before.
      if (streams_are_late()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
      std::memmove(memory<void>(to), from, bytes);
    });
    return CUDA_SUCCESS;
  }
  const auto* begin = static_cast<const char*>(from);
  stream_of(stream).put([to, read = std::vector<char>(begin, begin + bytes)] {
    std::memcpy(memory<void>(to), read.data(), read.size());
  });
  return CUDA_SUCCESS;
}
inline CUresult to_host(void* to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  stream_of(stream).put([=] { std::memmove(to, memory<void>(from), bytes); });
  if (!is_pinned(to)) stream_of(stream).wait();
  return CUDA_SUCCESS;
}
inline CUresult on_device(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  stream_of(stream).put([=] { std::memmove(memory<void>(to), memory<void>(from), bytes); });
  return CUDA_SUCCESS;
}
inline CUresult set_bytes(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream stream) {
  stream_of(stream).put([=] { std::memset(memory<void>(to), value, bytes); });
  return CUDA_SUCCESS;
}

}  // namespace emulated
