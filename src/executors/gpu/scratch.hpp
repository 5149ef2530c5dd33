/// The temporaries of calls. Calls run one after the other, so that all of an executable may use
/// the same memory, and so may executables that take turns; calls of different arms of a fork,
/// which run at once, do not.
///
/// Leaves out temp buffers of the program, which plan/arena.hpp lays out.
#pragma once

#include "gyre/cuda/memory.hpp"
#include "gyre/ir/call_context.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace gyre::executors {

/// Memory of the device that never moves and lives as long as this object: what is recorded holds
/// its addresses. Any thread may ask.
class ScratchChunks {
 public:
  /// Chunk number `index`; one of at least `bytes` is made where there are not so many. Also while
  /// a stream is captured.
  cuda::DeviceView chunk(std::size_t index, std::size_t bytes);
  /// What all of them hold.
  std::size_t bytes() const;

 private:
  std::size_t bytes_locked() const;

  mutable std::mutex mutex_;
  std::deque<cuda::DeviceMemory> chunks_;
};

/// Gives out pieces of chunks. Calls that ask for the same sizes again get the same addresses.
class Scratch final : public ir::CallMemory {
 public:
  explicit Scratch(std::shared_ptr<ScratchChunks> chunks) : chunks_(std::move(chunks)) {}

  /// All memory is the next call's.
  void begin_call();
  void* take(std::size_t bytes) override;

 private:
  std::shared_ptr<ScratchChunks> chunks_;
  /// Where the next piece is looked for.
  std::size_t chunk_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace gyre::executors
