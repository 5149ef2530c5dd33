/// Branches whose arms become values and statements of sweeps, so that nothing branches.
#pragma once

#include "gyre/plan/plan.hpp"
#include "new_symbols.hpp"

#include <string>
#include <variant>
#include <vector>

namespace gyre::plan {

/// A sweep, and the region that it comes from.
struct PlacedSweep {
  Sweep sweep;
  std::string region;
};
using ArmPiece = std::variant<ScalarStep, PlacedSweep>;

/// Whether both arms hold nothing but scalar work and a few small sweeps, of a kind that may run
/// where its arm is not taken.
bool can_select_arms(Plan& plan, const ir::If& branch);

/// The branch in program order:
///
///     if c {                              taken = c
///       a = x[k]                          a = select(taken, x[k], a)
///       foreach i in 0..n {        =>     sweep i in 0..n
///         y[i] = a                          if taken
///       }                                     y[i] = a
///     }
///
/// A select is quicker than any branch, and such a sweep may share a kernel with its neighbours.
/// Which arm was taken is counted. `enclosing` is the region around.
std::vector<ArmPiece> select_arms(Plan& plan, NewSymbols& symbols, const ir::Region& branch,
                                  const std::string& enclosing);

}  // namespace gyre::plan
