/// The temporaries of an executable's calls. The calls run one after the other, so that all may use
/// the same memory.
///
/// Leaves out temp buffers of the program, which plan/arena.hpp lays out.
#pragma once

#include "gyre/cuda/memory.hpp"
#include "gyre/ir/call_context.hpp"

#include <cstddef>
#include <vector>

namespace gyre::executors {

/// Gives out memory of the device in chunks that never move and live as long as this object: what
/// is recorded holds their addresses. Calls that ask for the same sizes again get the same
/// addresses.
class Scratch final : public ir::CallMemory {
 public:
  /// All memory is the next call's.
  void begin_call();
  /// Allocates only where no chunk has room; also while a stream is captured.
  void* take(std::size_t bytes) override;
  /// What all chunks hold.
  std::size_t bytes() const;

 private:
  std::vector<cuda::DeviceMemory> chunks_;
  /// Where the next piece is looked for.
  std::size_t chunk_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace gyre::executors
