/// The steps of a plan as a GPU executor walks them, and the kernels that they launch.
///
/// A kernel's text depends on where it stands: which duties it has for the node that follows, and
/// whether it is given a guard. Leaves out the text (emit_kernel.hpp).
#pragma once

#include "emit_kernel.hpp"

#include <string>
#include <vector>

namespace gyre::jit {

/// A kernel that waits for its text.
struct LaidKernel {
  /// Its place among the module's kernels.
  std::uint32_t emitted;
  /// Null where it only has duties.
  const plan::Kernel* kernel;
  std::vector<const plan::Node*> nodes;
  std::vector<Duty> duties;
  Standing standing;
  /// The kernel is this loop.
  const plan::WhileNode* resident = nullptr;
  /// As Step::arm.
  std::uint32_t arm = 0;
};

struct LaidSteps {
  std::vector<Step> steps;
  std::vector<LaidKernel> kernels;
  /// Declarations of the labels of all switches.
  std::string labels;
};

/// The steps of the plan's body; `kernels` gets an entry for each kernel, without its parameters.
LaidSteps lay_steps(const ModuleContext& context, std::vector<EmittedKernel>& kernels);

}  // namespace gyre::jit
