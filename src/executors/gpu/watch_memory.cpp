#include "watch_memory.hpp"

namespace gyre::executors {
namespace {

// Of Shadow and Seen in kernels/watch.cuh.
constexpr std::size_t head_bytes = 16;
constexpr std::size_t element_bytes = 16;

}  // namespace

WatchMemory::WatchMemory(const std::set<ir::SymbolId>& watched) {
  for (const ir::SymbolId buffer : watched) shadows_.emplace(buffer, cuda::DeviceMemory());
}

bool WatchMemory::bind(const std::vector<ir::BufferView>& buffers, cuda::StreamView stream) {
  bool moved = false;
  for (auto& [buffer, shadow] : shadows_) {
    const auto elements = buffers.at(static_cast<std::size_t>(buffer)).element_count();
    const std::size_t bytes = head_bytes + element_bytes * static_cast<std::size_t>(elements);
    if (shadow.bytes() == bytes) continue;
    shadow = cuda::DeviceMemory(bytes);
    cuda::clear(shadow, stream);
    moved = true;
  }
  if (moved) stream.synchronize();
  return moved;
}

std::size_t WatchMemory::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [buffer, shadow] : shadows_) bytes += shadow.bytes();
  return bytes;
}

}  // namespace gyre::executors
