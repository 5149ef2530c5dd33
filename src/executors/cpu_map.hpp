/// Instructions that compute lane by lane: operators, conversions, copies, sequences.
///
/// None of them faults, so they look at no memory but registers. Each is one loop over typed arrays
/// around one function of ir/scalar_ops.hpp.
#pragma once

#include "cpu_bytecode.hpp"
#include "gyre/ir/op.hpp"

namespace gyre::executors::cpu {

/// out = op(in…), on operands of `type` (for select: the type of the arms).
Run run_of_op(ir::Op op, ir::ScalarType type);
Run run_of_cast(ir::ScalarType to, ir::ScalarType from);
/// Gives the active lanes of `out` the value of `in[0]`; the other lanes keep theirs.
Run run_of_assign(ir::ScalarType type);
/// In a fold's context: each term's `out` is its owner's `in[0]`, a register of the parent context.
Run run_of_expand(ir::ScalarType type);

}  // namespace gyre::executors::cpu
