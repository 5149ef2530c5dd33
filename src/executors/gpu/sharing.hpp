/// In which form a kernel with folds within a point runs, and how many threads share a point.
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/plan/plan.hpp"

namespace gyre::executors {

struct Sharing {
  /// Threads of a point: 1, 32 or block_threads.
  unsigned lanes = 1;
  /// The kernel's form for long folds runs.
  bool long_folds = false;

  friend bool operator==(const Sharing&, const Sharing&) = default;
};

/// For the sweep of a kernel that has a form for long folds, by what is bound
/// (gyre/plan/teams.hpp).
Sharing choose_sharing(const plan::Plan& plan, const plan::Sweep& sweep, const ir::Bound& bound);

}  // namespace gyre::executors
