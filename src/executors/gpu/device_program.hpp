/// A plan on a device: its compiled kernels, its state and temporaries, the buffers of one run, and
/// what each launch passes. Shared by the GPU executors.
///
/// Leaves out who decides branches and in which form kernels are launched.
#pragma once

#include "gyre/cuda/context.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/cuda/module.hpp"
#include "gyre/executors/executor.hpp"
#include "gyre/jit/emit_module.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gyre::executors {

/// A context that is current while the program lives on this thread's stack.
const cuda::Context& device_context();

class DeviceProgram {
 public:
  DeviceProgram(std::shared_ptr<const plan::Plan> plan, const jit::EmitOptions& options);

  const plan::Plan& plan() const { return *plan_; }
  const jit::EmittedModule& module() const { return emitted_; }

  /// Takes the buffers and sizes of a run: makes mirrors of host memory, lays out temporaries, and
  /// computes grids. True where an address, a size or a grid differs from the last run.
  bool bind(const ir::Bound& bound);
  /// Copies host buffers to their mirrors, and back.
  void copy_in(cuda::StreamView stream) const;
  void copy_out(cuda::StreamView stream) const;

  /// A kernel with what it is launched with. `decisions` holds the word of each conditional node.
  struct Prepared {
    cuda::Function function;
    cuda::LaunchShape shape;
    std::vector<std::uint64_t> words;
    std::vector<void*> arguments;
  };
  Prepared prepare(std::uint32_t kernel, const std::vector<std::uint64_t>& decisions) const;
  Prepared prepare_begin() const;
  Prepared prepare_end() const;

  /// The device memory of a buffer or temporary, as bound.
  cuda::DeviceView memory_of(ir::SymbolId buffer) const;
  /// What a call gets: buffers where they are on the device, scalars as their cells.
  ir::BufferView device_view(ir::SymbolId argument) const;

  /// Writes the next launch's request; returns its number.
  std::uint64_t request(const ir::Bound& bound, const ir::RunOptions& options);
  /// Whether the launch of that number has written its result.
  bool has_result(std::uint64_t launch) const;
  ir::Outcome read_result() const;
  /// Ends the running launch within one execution of its innermost body.
  void cancel(std::uint64_t launch) const;

 private:
  void lay_out_temporaries(const ir::Bound& bound);
  unsigned blocks_of(const plan::Kernel& kernel, const ir::Bound& bound) const;
  void describe_fault(const jit::Control& control, ir::Outcome& outcome) const;

  std::shared_ptr<const plan::Plan> plan_;
  jit::EmittedModule emitted_;
  std::optional<cuda::Module> module_;
  cuda::DeviceMemory state_;
  cuda::DeviceMemory arena_;
  cuda::PinnedMemory request_;
  cuda::PinnedMemory result_;
  cuda::PinnedMemory cancel_word_;
  cuda::Stream cancel_stream_{cuda::Stream::Priority::High};
  std::uint64_t launches_ = 0;
  std::vector<ir::SymbolId> inputs_;
  std::vector<ir::SymbolId> outputs_;
  std::size_t control_words_ = sizeof(jit::Control) / 8;

  struct Mirror {
    std::size_t buffer;
    void* host;
    cuda::DeviceMemory device;
    bool read;
    bool written;
  };
  std::vector<Mirror> mirrors_;
  /// By SymbolId.
  std::vector<cuda::DeviceView> memory_;
  std::vector<ir::BufferView> views_;
  std::vector<std::int64_t> sizes_;
  std::vector<unsigned> blocks_;
};

}  // namespace gyre::executors
