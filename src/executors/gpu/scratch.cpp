#include "scratch.hpp"

#include "gyre/cuda/capture.hpp"

#include <algorithm>

namespace gyre::executors {
namespace {

constexpr std::size_t alignment = 256;
// Chunks grow with what there is, so that many small pieces need few of them.
constexpr std::size_t least_chunk = std::size_t{1} << 18;
constexpr std::size_t most_ahead = std::size_t{1} << 26;

}  // namespace

cuda::DeviceView ScratchChunks::chunk(std::size_t index, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (index == chunks_.size()) {
    const cuda::BesideCaptures relaxed;
    chunks_.emplace_back(std::max(bytes, std::clamp(bytes_locked(), least_chunk, most_ahead)));
  }
  return chunks_.at(index);
}

std::size_t ScratchChunks::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_locked();
}

std::size_t ScratchChunks::bytes_locked() const {
  std::size_t sum = 0;
  for (const cuda::DeviceMemory& chunk : chunks_) sum += chunk.bytes();
  return sum;
}

void Scratch::begin_call() {
  chunk_ = 0;
  offset_ = 0;
}

void* Scratch::take(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::size_t needed = (bytes + alignment - 1) / alignment * alignment;
  while (true) {
    const cuda::DeviceView chunk = chunks_->chunk(chunk_, needed);
    if (chunk.bytes - offset_ >= needed) {
      const CUdeviceptr address = chunk.address + offset_;
      offset_ += needed;
      return reinterpret_cast<void*>(address);
    }
    ++chunk_;
    offset_ = 0;
  }
}

}  // namespace gyre::executors
