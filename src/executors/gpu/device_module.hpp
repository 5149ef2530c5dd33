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
#include <string>
#include <vector>

namespace gyre::executors {

/// The context that everything here lives in.
const cuda::Context& device_context();
/// Where the host says and asks what concerns launches under way: no launch ever stands here. One
/// for all, since few streams run at once on a device.
cuda::StreamView side_stream();

/// Compiles and loads a kernel that does nothing, for a program of that name whose own kernels wait
/// for its sizes: a machine that can neither is found out in time to run the program elsewhere.
void try_kernels(const std::string& program);

class DeviceModule {
 public:
  DeviceModule(std::shared_ptr<const plan::Plan> plan, const jit::EmitOptions& options);

  const plan::Plan& plan() const { return *plan_; }
  const jit::EmittedModule& emitted() const { return emitted_; }
  /// The function of each kernel of the emitted module, in the form given for it. Compiles and
  /// loads what no executable has asked for before; all forms for short folds are there from the
  /// start.
  std::shared_ptr<const std::vector<cuda::Function>> functions(
      const std::vector<jit::FoldForm>& forms) const;
  /// The loop of that number in the plan's order of branches.
  const plan::WhileNode& loop(std::uint32_t number) const;

 private:
  struct Loaded {
    std::shared_ptr<const cuda::Module> module;
    std::vector<cuda::Function> functions;
  };

  std::shared_ptr<const Loaded> load(const std::vector<jit::FoldForm>& forms) const;

  std::shared_ptr<const plan::Plan> plan_;
  jit::EmittedModule emitted_;
  mutable std::mutex mutex_;
  mutable std::map<std::vector<jit::FoldForm>, std::shared_ptr<const Loaded>> loaded_;
};

}  // namespace gyre::executors
