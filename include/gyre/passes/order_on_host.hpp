#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Lets the host's standard library do sorts and topks, each as a call.
///
///     sort(i in 0..n) y = f(i)    =>    foreach p in 0..n { record[p] = f(p) }
///                                       call order(record, other, count, most)
///                                       foreach p in 0..n { y[p] = other[p] }
///
/// For the cpu executor alone, and ahead of all other passes: comparing and moving are what a core
/// does best, and what an evaluator of expressions does worst. The result is that of
/// lower_primitives, bit for bit.
ir::Program order_on_host(ir::Program program);

}  // namespace gyre::passes
