#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Writes every compound assignment out.
///
///     x[i] += a * p[i]    =>    x[i] = x[i] + a * p[i]
///
/// A sum into a scalar from outside its foreach stays: that is a fold, not an update. Runs first,
/// so that no later pass meets a store that is a load as well.
ir::Program expand_assignments(ir::Program program);

}  // namespace gyre::passes
