/// A copy as a sweep: a kernel can be switched off, and share its launch with others.
#pragma once

#include "gyre/plan/plan.hpp"
#include "new_symbols.hpp"

namespace gyre::plan {

/// Whether both buffers have the same extents in every run.
bool same_extents(const Plan& plan, const ir::Copy& copy);

/// Stores each element of the one at its place of the other.
Sweep copy_sweep(const Plan& plan, NewSymbols& symbols, const ir::Copy& copy);

}  // namespace gyre::plan
