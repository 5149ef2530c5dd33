/// Conjugate gradients as three kernels a trip, written by hand, and the ways to run such a loop.
///
/// All do the arithmetic of gyre's program in the same shape (docs/decisions/0001), so that their
/// solutions have its bits. Each ends by its own test, but the straight line, which knows its
/// trips.
#pragma once

#include "support/solve_way.hpp"

#include <memory>

namespace gyre::bench::rivals {

/// One CUDA graph of all trips one behind the other: nothing is decided. `programmatic`: each
/// kernel starts before the one before it has ended, and waits for it.
std::unique_ptr<SolveWay> make_straight_line_cg(bool programmatic);
/// One CUDA graph with a WHILE node around one trip.
std::unique_ptr<SolveWay> make_while_graph_cg();
/// The host launches each kernel and reads after each trip whether there is another one, as
/// `.item()` does.
std::unique_ptr<SolveWay> make_item_loop_cg();
/// One cooperative kernel whose blocks meet three times a trip, on the best of several grids.
std::unique_ptr<SolveWay> make_cooperative_cg();

}  // namespace gyre::bench::rivals
