/// What programs keep on a device only while they run: temporaries, and the temporaries of calls.
/// Each executor has one of its own, or several that take turns share one.
#pragma once

#include "gyre/cuda/event.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/arena_memory.hpp"
#include "scratch.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace gyre::executors {

/// Made in the context that gyre works in. Its users are started one at a time.
class DeviceArena final : public ArenaPart {
 public:
  std::size_t held_bytes() const override {
    const std::lock_guard lock(mutex_);
    std::size_t bytes = pieces.held_bytes();
    for (const auto& [arm, chunks] : chunks_) bytes += chunks->bytes();
    return bytes;
  }
  /// What calls of that arm of a fork have their temporaries from (0: those of no arm).
  std::shared_ptr<ScratchChunks> chunks(std::uint32_t arm) {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<ScratchChunks>& chunks = chunks_[arm];
    if (!chunks) chunks = std::make_shared<ScratchChunks>();
    return chunks;
  }

  /// What is put on `stream` from now on comes behind the run that was started last.
  void before_run(cuda::StreamView stream) const { stream.wait(behind_last_.get()); }
  /// A run was put on `stream`.
  void behind_run(cuda::StreamView stream) const { behind_last_.record(stream); }

  ArenaPieces<cuda::DeviceMemory> pieces;

 private:
  mutable std::mutex mutex_;
  std::map<std::uint32_t, std::shared_ptr<ScratchChunks>> chunks_;
  cuda::Event behind_last_;
};

}  // namespace gyre::executors
