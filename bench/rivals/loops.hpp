/// Loops of small kernels, written by hand: what gyre's loops are compared with.
///
/// A trip is so many kernels, each of which reads all of one buffer in reverse and writes all of
/// the other, so that no two can be one kernel. The number of trips lies on the GPU, and the last
/// kernel of a trip decides whether there is another one. A body of no kernels is one thread that
/// counts.
#pragma once

#include "support/loop_way.hpp"

namespace gyre::bench::rivals {

/// A host that reads after each trip, as `.item()` does; a graph with a WHILE node; the same where
/// a kernel of its own interprets the predicate; and a graph of all trips one behind the other, for
/// which they are known.
LoopWays make_loop_rivals();

}  // namespace gyre::bench::rivals
