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

void Scratch::begin_call() {
  chunk_ = 0;
  offset_ = 0;
}

void* Scratch::take(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  const std::size_t needed = (bytes + alignment - 1) / alignment * alignment;
  while (chunk_ < chunks_.size() && chunks_[chunk_].bytes() - offset_ < needed) {
    ++chunk_;
    offset_ = 0;
  }
  if (chunk_ == chunks_.size()) {
    const cuda::BesideCaptures relaxed;
    chunks_.emplace_back(std::max(needed, std::clamp(this->bytes(), least_chunk, most_ahead)));
  }
  const CUdeviceptr address = chunks_[chunk_].address() + offset_;
  offset_ += needed;
  return reinterpret_cast<void*>(address);
}

std::size_t Scratch::bytes() const {
  std::size_t sum = 0;
  for (const cuda::DeviceMemory& chunk : chunks_) sum += chunk.bytes();
  return sum;
}

}  // namespace gyre::executors
