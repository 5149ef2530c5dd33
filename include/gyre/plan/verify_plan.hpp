/// The rules that every plan obeys, as checks. A plan that breaks one is gyre's fault, never the
/// user's.
#pragma once

#include "gyre/plan/plan.hpp"

#include <string>
#include <vector>

namespace gyre::plan {

/// Every breach, one sentence each; empty for a sound plan. In this order:
///
/// * structure: ids and kernel numbers exist, each kernel is launched from one place, predicates
///   are bools, selectors integers, limits i64;
/// * declared cells: a kernel's `reads`, `epilogue_reads` and `writes` are what its steps and sweep
///   use;
/// * boundaries: where a straight line ends no reduction waits for its finish, and no shadow is
///   read that the line did not fill;
/// * hazards: no kernel with a sweep writes a cell, or stores to a buffer in the sweep, that its
///   other blocks may still read in their prologue or sweep; an epilogue that needs what other
///   blocks leave is the last block's, and none may fault;
/// * partials: a reduction is finished only after the sweep that feeds it, and is not fed again
///   before that.
///
/// That a handle is set once on every path follows from the boundaries: an executor sets it from
/// its slot, at home, just before the node and at the end of the body.
std::vector<std::string> verify_plan(const Plan& plan);

}  // namespace gyre::plan
