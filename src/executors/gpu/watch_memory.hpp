/// The shadows of the buffers that checked sweeps watch (kernels/watch.cuh), on the device.
#pragma once

#include "gyre/cuda/memory.hpp"
#include "gyre/cuda/stream.hpp"
#include "gyre/ir/bind.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <vector>

namespace gyre::executors {

class WatchMemory {
 public:
  explicit WatchMemory(const std::set<ir::SymbolId>& watched);

  /// Makes each shadow as large as its buffer of `buffers` (by SymbolId), and has forgotten all
  /// where a size changed; returns whether one has moved. No launch may be under way that sees
  /// them.
  bool bind(const std::vector<ir::BufferView>& buffers, cuda::StreamView stream);

  std::size_t bytes() const;
  CUdeviceptr shadow(ir::SymbolId buffer) const { return shadows_.at(buffer).address(); }

 private:
  std::map<ir::SymbolId, cuda::DeviceMemory> shadows_;
};

}  // namespace gyre::executors
