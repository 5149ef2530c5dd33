/// In which ways a kernel may end a launch by itself.
#pragma once

#include "gyre/plan/plan.hpp"

#include <set>

namespace gyre::jit {

/// A fold within one index has a step that may be 0. Where such a fault is met in the middle of an
/// expression, what follows must not touch memory: the kernel is emitted with checks.
bool needs_checks(const plan::Kernel& kernel);
/// A point of the sweep may end before its last statement, in a kernel without checks.
bool points_may_fail(const plan::Sweep& sweep);
/// The scalar work or the sweep may meet a fault or a trip limit, in a kernel without checks.
bool may_fault(const plan::Kernel& kernel);
/// The same, or a `stop`.
bool may_end_launch(const plan::Kernel& kernel);

/// What a sweep under a promise stores to: there two of its indices may meet. Integer additions may
/// collide.
std::set<ir::SymbolId> watched_buffers(const plan::Kernel& kernel);

}  // namespace gyre::jit
