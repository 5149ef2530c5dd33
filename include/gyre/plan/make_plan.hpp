/// The step from a program to a plan.
#pragma once

#include "gyre/ir/program.hpp"
#include "gyre/plan/plan.hpp"

namespace gyre::plan {

/// Lowers a program that has been through the passes.
///
/// Scalar statements gather until a sweep comes; they become its prologue, or a kernel of their own
/// where that would be wrong or nothing follows. A sweep is a foreach or a device-wide fold; a
/// fold's finish is the next scalar statement. Every branch, call, copy and clear ends a straight
/// line: there all gathered work is done and every value is at home.
Plan make_plan(const ir::Program& program);

}  // namespace gyre::plan
