/// Forwards whose path the data decides, written by hand.
#pragma once

#include "support/forward_way.hpp"

namespace gyre::bench::rivals {

/// A host that reads which arm it is, as `.item()` does, and launches its kernel, or a graph that
/// it has for each arm; and a graph with a conditional node, where the driver has SWITCH nodes.
ForwardWays make_forward_rivals();

}  // namespace gyre::bench::rivals
