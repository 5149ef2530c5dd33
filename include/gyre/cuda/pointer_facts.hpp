/// What a pointer that a user hands over points to.
///
/// Leaves out judging it: what may be bound is the executors' business.
#pragma once

#include "gyre/cuda/driver.hpp"

#include <cstddef>
#include <cstdint>

namespace gyre::cuda {

/// Where memory lies. `Pageable` is memory of the host that CUDA knows nothing of, `None` an
/// address at which neither has any: freed, or never allocated.
enum class MemoryKind { Pageable, Pinned, Device, Managed, None };

struct PointerFacts {
  MemoryKind kind = MemoryKind::Pageable;
  /// The device that holds `Device` memory or allocated `Managed` memory; -1 otherwise.
  int device = -1;
  /// How many bytes of its allocation lie from the pointer on; 0 where CUDA does not know. Of
  /// memory that was suballocated this is the whole piece that it was cut from.
  std::size_t bytes_left = 0;
  /// A number that no other allocation of the process ever has; 0 where CUDA does not know it.
  std::uint64_t allocation = 0;
};

/// Costs about a microsecond; never throws for a pointer that is no CUDA memory.
PointerFacts pointer_facts(CUdeviceptr address);

}  // namespace gyre::cuda
