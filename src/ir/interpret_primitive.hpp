/// The device-wide primitives, with the standard library.
#pragma once

#include "gyre/ir/primitive.hpp"
#include "interpret_expr.hpp"

namespace gyre::ir {

/// Runs `op`; throws Ending where it faults.
void run_primitive(Memory& memory, Evaluator& evaluator, const Primitive& op);

}  // namespace gyre::ir
