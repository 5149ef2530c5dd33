/// In which ways a kernel may end a launch by itself.
#pragma once

#include "gyre/plan/plan.hpp"

#include <set>

namespace gyre::plan {

/// A fold within one index has a step that may be 0. Where such a fault is met in the middle of an
/// expression, what follows must not touch memory: the kernel is emitted with checks.
bool has_uncertain_fold(const ir::Expr& expr);
bool needs_checks(const ScalarStep& step);
bool needs_checks(const Sweep& sweep);
bool needs_checks(const Kernel& kernel);
/// A point of the sweep may end before its last statement, in a kernel without checks.
bool points_may_fail(const Sweep& sweep);
/// A trip that the threads of a team make side by side may do so, while the others go on.
bool shared_trips_may_fail(const Sweep& sweep);
/// The sweep, or the scalar work too, may meet a fault or a trip limit, in a kernel without checks.
bool may_fault(const Sweep& sweep);
bool may_fault(const Kernel& kernel);

/// Something in an arm may end the launch, or ask whether something has: a loop or a branch, a
/// stop, a fault.
bool may_end_launch(const Plan& plan, const ForkNode& fork);

/// What a sweep under a promise stores to: there two of its indices may meet. Integer additions may
/// collide.
std::set<ir::SymbolId> watched_buffers(const Kernel& kernel);

}  // namespace gyre::plan
