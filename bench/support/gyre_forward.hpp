/// gyre's forwards whose path the data decides as ways to compare.
#pragma once

#include "support/forward_way.hpp"

#include <string>
#include <vector>

namespace gyre::bench {

/// A way for each of these executors, which run on a GPU, and each form of arms: expressions, the
/// user's kernels as calls that promise a guard, and as calls that promise nothing.
ForwardWays make_gyre_forwards(const std::vector<std::string>& executors);

}  // namespace gyre::bench
