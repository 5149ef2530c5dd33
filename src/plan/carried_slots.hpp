/// Which slots carry a value from one kernel to another.
#pragma once

#include "gyre/plan/accesses.hpp"

namespace gyre::plan {

/// Whether every trip of a loop does the same: only kernels, none of which stores to a buffer,
/// counts, ends the launch, or reads a slot that a kernel at or behind it computes.
bool carries_nothing(const Plan& plan, const Block& body);

/// Keeps in registers what nothing outside its kernel reads: neither another kernel, nor the
/// caller, nor what `live` holds.
void drop_dead_writes(Plan& plan, Symbols live);

}  // namespace gyre::plan
