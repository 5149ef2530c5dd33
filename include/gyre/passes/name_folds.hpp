#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Lets every device-wide fold stand alone.
///
///     let alpha = rr / sum(…) p[i] * q[i]    =>    let folded = sum(…) p[i] * q[i]
///                                                  let alpha = rr / folded
///
///     ok = n > 0 && any(…) (x[i] > t)        =>    var chosen: bool
///                                                  chosen = n > 0
///                                                  if chosen {
///                                                    let folded = any(…) (x[i] > t)
///                                                    chosen = folded
///                                                  }
///                                                  ok = chosen
///
/// A fold is a kernel, not an operand; and one behind `&&`, `||` or `select` must not run unless it
/// is chosen. The branch is the pass's own and is not counted. Runs after materialize_conditions,
/// when no expression stands in a condition.
ir::Program name_folds(ir::Program program);

}  // namespace gyre::passes
