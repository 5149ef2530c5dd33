/// The pieces of a plan's steps: those that run with no part of the host, and what becomes of them.
#pragma once

#include "gpu_policy.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/plan/plan.hpp"

#include <span>

namespace gyre::executors {

using Steps = std::span<const jit::Step>;

/// The call that the step makes; null where it is another kind of step.
const plan::RunCall* call_in(const jit::Step& step);
bool runs_on_host(const plan::RunCall& call);

/// Cuts the steps of one module under one policy. Keeps both by reference.
class Pieces {
 public:
  Pieces(const GpuPolicy& policy, const jit::EmittedModule& emitted)
      : policy_(policy), emitted_(emitted) {}

  /// The steps from the first of `steps` on that the host has no part in.
  Steps leading(Steps steps) const;
  /// Whether such a piece is launched as one graph, not step by step.
  bool is_graph(Steps piece) const;
  /// Whether the host has a part in a run of the module.
  bool need_host() const;

 private:
  bool runs_alone(const jit::Step& step) const;

  const GpuPolicy& policy_;
  const jit::EmittedModule& emitted_;
};

}  // namespace gyre::executors
