#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Turns jumps into flags: a graph has no edge that leaves a body.
///
///     while c {               var left: bool
///       a                     while !left && c {
///       if p {                  a
///         break                 if p {
///       }               =>        left = true
///       b                       }
///     }                         if !left {
///                                 b
///                               }
///                             }
///
/// `break` sets `left`, declared before the loop; `continue` sets `skipped`, which starts afresh in
/// each trip; `stop` stays and sets `halted`, which ends every loop around it. What may follow a
/// jump is guarded by the flags that may be up there. Jumps within a foreach stay: one index may
/// jump. Each arm of a fork that may stop has a `halted` of its own, since no two arms write one
/// flag; behind the fork the flag around it becomes any of theirs.
ir::Program lower_jumps(ir::Program program);

}  // namespace gyre::passes
