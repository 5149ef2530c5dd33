#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Makes every condition, selector and limit a read of a slot.
///
///     while r > tol limit m {        let limit = i64(m)
///       step                         var holds: bool
///     }                       =>     holds = r > tol
///                                    while holds limit limit {
///                                      step
///                                      holds = r > tol
///                                    }
///
/// A conditional node tests a handle, never an expression: after this pass each condition names the
/// slot that its handle mirrors. A `do` becomes a `while` whose slot starts out true. Runs after
/// everything that makes or changes a condition.
ir::Program materialize_conditions(ir::Program program);

}  // namespace gyre::passes
