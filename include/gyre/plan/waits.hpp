/// How long the chain of a sweep's loads is: each waits for the one before it, and all the longer
/// the farther away memory is, however little is loaded.
#pragma once

#include "gyre/plan/accesses.hpp"
#include "gyre/plan/plan.hpp"

namespace gyre::plan {

/// The most loads of a point that wait for one another: 2 for `x[map[i]]`, where the place comes
/// first. A fold within the point waits for its bounds, and then once for each three of its
/// `terms`, as a thread loads them. What a point owns lies ready, and so do the buffers that are
/// `near`: they count nothing.
double waits_of(const Sweep& sweep, double terms, const Symbols& near = {});

}  // namespace gyre::plan
