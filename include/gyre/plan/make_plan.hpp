/// The step from a program to a plan.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/plan/plan.hpp"

namespace gyre::plan {

struct PlanOptions {
  /// Joins neighbouring sweeps over the same points into one kernel, and scalar work to the kernel
  /// before it. For unchecked runs: the order of faults within a kernel is not the program's then.
  bool fuse = false;
};

/// Lowers a program that has been through the passes.
///
/// Scalar statements gather until a sweep comes; what the sweep needs becomes its prologue, or a
/// kernel of its own where that would be wrong. A sweep is a foreach or a device-wide fold; a
/// fold's finish is the next scalar statement. Every branch, call, copy and clear ends a straight
/// line: there all gathered work is done and every value is at home. With `fuse`:
///
///     sweep i: q[i] = …                 sweep i: q[i] = …
///     sweep k: sum #0 <- p[k] * q[k]  =>          sum #0 <- p[i] * q[i]
///     s = finish sum #0                 epilogue: s = finish sum #0
Plan make_plan(const ir::Program& program, const PlanOptions& options = {});

}  // namespace gyre::plan
