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
#include <mutex>
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
  /// Compiles side by side what is missing of the kernels' forms, one for each kernel of the emitted
  /// module, and loads it. That for short folds is there from the start.
  void load(const std::vector<jit::FoldForm>& forms) const;
  /// The function of a kernel in a form that is loaded.
  cuda::Function function(std::uint32_t kernel, jit::FoldForm form) const;
  /// The loop of that number in the plan's order of branches.
  const plan::WhileNode& loop(std::uint32_t number) const;

 private:
  struct Loaded {
    std::shared_ptr<const cuda::Module> module;
    cuda::Function function;
  };

  std::shared_ptr<const plan::Plan> plan_;
  jit::EmittedModule emitted_;
  mutable std::mutex mutex_;
  /// By kernel.
  mutable std::vector<std::map<jit::FoldForm, Loaded>> functions_;
};

}  // namespace gyre::executors
