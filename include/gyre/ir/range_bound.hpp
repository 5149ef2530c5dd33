/// How many indices a range can have, as far as a program shows it.
#pragma once

#include "gyre/ir/program.hpp"

namespace gyre::ir {

/// Whether `expr` is made of sizes, literals and operators alone, as extents are.
bool is_extent(const Program& program, const Expr& expr);

/// A number that is known before a launch and than which `range` has no more indices; null where
/// nothing shows one. The range's end is one if that is made of sizes and literals and the range
/// starts at 0 or above; and so is an extent of a buffer that `operand`, whatever it chooses,
/// loads at the range's index.
Expr bound_of(const Program& program, const Range& range, const Expr& operand);

}  // namespace gyre::ir
