/// The executor of any machine: the default without a GPU, and the oracle for lowering.
///
/// Each sweep is compiled once to register code that runs over blocks of points, on a pool of
/// threads; the host decides branches. Every number of threads gives the bits of `ir::interpret`.
#pragma once

#include "gyre/executors/arena_memory.hpp"
#include "gyre/executors/executor.hpp"

#include <memory>

namespace gyre::executors {

struct CpuOptions {
  /// The caller's thread included; 0: one for each core.
  int threads = 0;
  /// Where temporaries lie, shared with executors that never run at the same time, or null.
  std::shared_ptr<ArenaMemory> arena = {};
};

/// An executor that owns `plan`. Bounds are always checked. A plan that breaks its own rules is an
/// InternalError; a call without a host function is a UsageError of the run that reaches it.
std::unique_ptr<Executor> make_cpu_executor(std::shared_ptr<const plan::Plan> plan,
                                            CpuOptions options = {});

}  // namespace gyre::executors
