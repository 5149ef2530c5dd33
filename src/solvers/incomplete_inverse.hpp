/// What a program declares of incomplete factors, by the names under which they are bound.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/incomplete_factors.hpp"

namespace gyre::solvers {

/// Binds `factors` to a program with a preconditioner that has some. They must outlive the
/// executable's runs.
void bind_factors(Executable& executable, const IncompleteFactors& factors);

}  // namespace gyre::solvers
