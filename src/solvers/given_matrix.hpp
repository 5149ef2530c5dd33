/// The matrix that a solver is given, which must be one.
#pragma once

#include "gyre/base/error.hpp"

#include <memory>
#include <utility>

namespace gyre::solvers {

/// UsageError where `matrix` is null.
template <class M>
std::shared_ptr<const M> given(std::shared_ptr<const M> matrix) {
  if (!matrix) throw UsageError("a solver was given no matrix: the pointer to it is null");
  return matrix;
}

}  // namespace gyre::solvers
