/// Clears that nobody would miss.
#pragma once

#include "gyre/plan/plan.hpp"

namespace gyre::plan {

/// Drops the clear of a buffer that is written whole before anything reads it, on every path:
///
///     clear r                             sweep i in 0..n
///     sweep i in 0..n          =>           r[i] = b[i]
///       r[i] = b[i]
///
/// A clear costs a node, in a loop one each trip.
void drop_clears(Plan& plan);

}  // namespace gyre::plan
