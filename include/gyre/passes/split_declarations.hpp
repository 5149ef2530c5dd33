#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::passes {

/// Separates the declaration of a scalar from its first value.
///
///     var a: f64 = sum(…) x[i]    =>    var a: f64
///                                       a = sum(…) x[i]
///
/// A symbol's initial value is no part of the tree of regions: passes would not see the folds in
/// it. The default of an `in` or `inout` is not touched: it is read where the arguments are bound.
/// Runs first.
ir::Program split_declarations(ir::Program program);

}  // namespace gyre::passes
