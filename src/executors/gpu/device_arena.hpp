/// What programs keep on a device only while they run: temporaries, and the temporaries of calls.
/// Each executor has one of its own, or several that take turns share one.
#pragma once

#include "gyre/cuda/event.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/arena_memory.hpp"
#include "scratch.hpp"

#include <cstddef>
#include <memory>

namespace gyre::executors {

/// Made in the context that gyre works in. Its users are started one at a time.
class DeviceArena final : public ArenaPart {
 public:
  std::size_t held_bytes() const override { return pieces.held_bytes() + chunks->bytes(); }

  /// What is put on `stream` from now on comes behind the run that was started last.
  void before_run(cuda::StreamView stream) const { stream.wait(behind_last_.get()); }
  /// A run was put on `stream`.
  void behind_run(cuda::StreamView stream) const { behind_last_.record(stream); }

  ArenaPieces<cuda::DeviceMemory> pieces;
  std::shared_ptr<ScratchChunks> chunks = std::make_shared<ScratchChunks>();

 private:
  cuda::Event behind_last_;
};

}  // namespace gyre::executors
