/// What a program declares of a multigrid hierarchy, by the names under which it is bound.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/smoothed_aggregation.hpp"

namespace gyre::solvers {

/// Binds `grid` to a program that was made for a hierarchy of as many levels. Its arrays must
/// outlive the executable's runs.
void bind_multigrid(Executable& executable, const Multigrid& grid);

/// Whether a program that was made for `one` can be bound to `other`.
bool have_one_program(const Multigrid& one, const Multigrid& other);

}  // namespace gyre::solvers
