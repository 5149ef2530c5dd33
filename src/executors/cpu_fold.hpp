/// Folds within a lane, in their inner strand shape.
///
/// The terms of many lanes are evaluated at once: their ranges stand one after another in a context
/// of their own, and each lane's share is then reduced. Where the ranges of neighbouring lanes
/// adjoin, as the rows of a CSR matrix do, the fold's index is one sequence.
#pragma once

#include "cpu_bytecode.hpp"

namespace gyre::executors::cpu {

/// out = Body::folds[side], for each active lane.
void run_fold(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes);

}  // namespace gyre::executors::cpu
