#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Makes a fill a parallel loop, of which fusion and scheduling know everything already.
///
///     fill a = e    =>    let value = e
///                         foreach i in 0..n, j in 0..m {
///                           a[i, j] = value
///                         }
ir::Program lower_fill(ir::Program program);

}  // namespace gyre::passes
