/// A plan's kernels on the device: emitted, compiled, loaded. Executables of one program share
/// them.
///
/// Leaves out memory (device_program.hpp).
#pragma once

#include "gyre/cuda/context.hpp"
#include "gyre/cuda/module.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace gyre::executors {

/// The context that everything here lives in.
const cuda::Context& device_context();
/// Where the host says and asks what concerns launches under way: no launch ever stands here. One
/// for all, since few streams run at once on a device.
cuda::StreamView side_stream();

class DeviceModule {
 public:
  DeviceModule(std::shared_ptr<const plan::Plan> plan, const jit::EmitOptions& options);

  const plan::Plan& plan() const { return *plan_; }
  const jit::EmittedModule& emitted() const { return emitted_; }
  /// The function of a kernel of the emitted module in a form that it has; loaded already.
  cuda::Function function(std::uint32_t kernel, jit::FoldForm form) const {
    return functions_.at(kernel).at(form);
  }
  /// The loop of that number in the plan's order of branches.
  const plan::WhileNode& loop(std::uint32_t number) const;

 private:
  std::shared_ptr<const plan::Plan> plan_;
  jit::EmittedModule emitted_;
  std::shared_ptr<const cuda::Module> module_;
  std::vector<std::map<jit::FoldForm, cuda::Function>> functions_;
};

}  // namespace gyre::executors
