/// Copies on the host of what a call on the host works with.
#pragma once

#include "gyre/cuda/memory.hpp"
#include "gyre/ir/callee.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gyre::executors {

/// Where each of `views` lies in one block of memory, aligned; the last entry is the size of the
/// whole.
std::vector<std::size_t> lay_out_copies(std::span<const ir::BufferView> views);

/// Pinned memory, kept from call to call and grown where one needs more.
class HostStaging {
 public:
  /// Views of the host that hold what `device`, views of device memory, holds; those that are only
  /// written hold anything. Waits for the stream.
  std::vector<ir::BufferView> fetch(std::span<const ir::BufferView> device,
                                    std::span<const ir::Access> accesses, cuda::StreamView stream);
  /// Puts what was written back to where it was fetched from. Waits for the stream, since the next
  /// call uses the same memory.
  void put_back(std::span<const ir::BufferView> host, std::span<const ir::BufferView> device,
                std::span<const ir::Access> accesses, cuda::StreamView stream) const;

 private:
  cuda::PinnedMemory memory_;
};

}  // namespace gyre::executors
