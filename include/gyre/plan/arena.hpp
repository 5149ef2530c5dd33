/// Where the temp buffers of a plan lie in one piece of memory. Leaves out the memory itself.
#pragma once

#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace gyre::plan {

struct ArenaLayout {
  /// In bytes, one for each of Plan::temporaries.
  std::vector<std::size_t> offsets;
  std::size_t total = 0;
};

/// Every offset is a multiple of this, which serves any element and any vector load.
inline constexpr std::size_t arena_alignment = 256;

/// Places temp buffers of `sizes` bytes, one for each of Plan::temporaries, so that those whose
/// lives overlap share no byte: the largest first, each at the lowest place where it fits.
ArenaLayout layout_arena(const Plan& plan, std::span<const std::size_t> sizes);

}  // namespace gyre::plan
