/// The step from a program to a plan.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/plan/plan.hpp"
#include "gyre/plan/plan_steps.hpp"

namespace gyre::plan {

/// Lowers a program that has been through the passes.
///
/// Scalar statements gather until a sweep comes; what the sweep needs becomes its prologue, or a
/// kernel of its own where that would be wrong. A sweep is a foreach or a device-wide fold; a
/// fold's finish is the next scalar statement. Every branch, call, copy and clear ends a straight
/// line: there all gathered work is done and every value is at home. With
/// `fuse_sweeps` and `epilogues`:
///
///     sweep i: q[i] = …                 sweep i: q[i] = …
///     sweep k: sum #0 <- p[k] * q[k]  =>          sum #0 <- p[i] * q[i]
///     s = finish sum #0                 epilogue: s = finish sum #0
Plan make_plan(const ir::Program& program, const PlanSteps& steps = no_steps);

}  // namespace gyre::plan
