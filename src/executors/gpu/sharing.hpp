/// In which form a kernel with folds within a point runs, and how many threads share a point.
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/plan/plan.hpp"

#include <cstddef>
#include <optional>

namespace gyre::executors {

struct Sharing {
  /// Threads of a point: 1, 32 or block_threads.
  unsigned lanes = 1;
  /// Which form of the kernel runs.
  jit::FoldForm form = jit::FoldForm::Short;
  /// Of the staged form: for how many elements of a buffer each warp has shared memory.
  unsigned stage_elements = 0;

  friend bool operator==(const Sharing&, const Sharing&) = default;
};

/// What a kernel's staged form takes of each element in shared memory (0: it has no such form), and
/// how much of that a multiprocessor has.
struct StageRoom {
  unsigned bytes = 0;
  std::size_t shared_bytes = 0;
};

/// The terms of the longest fold within a point of `sweep`, by what is bound; none where only the
/// device knows.
std::optional<double> terms_of(const plan::Plan& plan, const plan::Sweep& sweep,
                               const ir::Bound& bound);

/// For the sweep of a kernel that has a form for long folds, by what is bound
/// (gyre/plan/teams.hpp).
Sharing choose_sharing(const plan::Plan& plan, const plan::Sweep& sweep, const ir::Bound& bound,
                       const StageRoom& room = {});

}  // namespace gyre::executors
