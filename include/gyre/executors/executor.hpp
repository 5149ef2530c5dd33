/// What every executor offers: it owns a plan and runs it on bound arguments.
///
/// Leaves out choosing one (make_executor.hpp) and everything around a launch (runtime/).
#pragma once

#include "gyre/ir/bind.hpp"
#include "gyre/ir/outcome.hpp"
#include "gyre/ir/run_options.hpp"
#include "gyre/plan/plan.hpp"

#include <memory>
#include <string_view>

namespace gyre::executors {

/// Runs one plan any number of times. One run at a time; different executors run at once.
class Executor {
 public:
  virtual ~Executor() = default;

  /// `cpu`, `host_branch`, `device_graph` or `persistent`.
  virtual std::string_view name() const = 0;

  /// Does ahead of a run on these arguments what the first such run would do otherwise: compiling,
  /// laying out memory, building graphs. May be left out.
  virtual void prepare(const ir::Bound& bound, const ir::RunOptions& options) {
    static_cast<void>(bound);
    static_cast<void>(options);
  }

  /// Runs the plan to its end on arguments that `ir::resolve` has checked. Buffers are written in
  /// place; how the run ended is the result.
  virtual ir::Outcome run(const ir::Bound& bound, const ir::RunOptions& options) = 0;
};

}  // namespace gyre::executors
