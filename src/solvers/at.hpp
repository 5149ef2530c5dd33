/// Indices of matrices, which are signed, as those of vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gyre::solvers {

inline std::size_t at(std::int64_t index) {
  return static_cast<std::size_t>(index);
}

}  // namespace gyre::solvers
