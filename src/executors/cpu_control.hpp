/// Instructions that decide which lanes run: branches, loops within a lane, and checks of steps.
#pragma once

#include "cpu_bytecode.hpp"

namespace gyre::executors::cpu {

/// Runs Body::branches[side]: each lane the arm that in[0] chooses.
void run_branch(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes);
/// Runs Body::loops[side] that tests a condition; the lanes take their trips together.
void run_repeat(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes);
/// Runs Body::loops[side] over a range of each lane's own.
void run_repeat_over(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes);
/// The lanes leave their innermost loop, or wait for its next trip.
void run_leave(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes);
void run_next_trip(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes);
/// Lanes where in[0] is 0 fault, as Body::step_checks[side] says.
void run_step_check(Machine& machine, Context& context, const Instr& instr, const Lanes& lanes);

}  // namespace gyre::executors::cpu
