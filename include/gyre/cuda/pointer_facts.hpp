/// What a pointer that a user hands over points to.
#pragma once

#include "gyre/cuda/driver.hpp"

#include <cstddef>

namespace gyre::cuda {

/// Where memory lies. `Pageable` is memory of the host that CUDA knows nothing of.
enum class MemoryKind { Pageable, Pinned, Device, Managed };

struct PointerFacts {
  MemoryKind kind = MemoryKind::Pageable;
  /// The device that holds `Device` memory or allocated `Managed` memory; -1 otherwise.
  int device = -1;
  /// How many bytes of its allocation lie from the pointer on; 0 where CUDA does not know.
  std::size_t bytes_left = 0;
};

/// Costs about a microsecond; never throws for a pointer that is no CUDA memory.
PointerFacts pointer_facts(CUdeviceptr address);

}  // namespace gyre::cuda
