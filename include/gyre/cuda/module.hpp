/// Compiled kernels on the device: modules, their functions, and launching one.
///
/// Leaves out compiling (gyre/jit/compile.hpp) and kernels as graph nodes (graph.hpp).
#pragma once

#include "gyre/cuda/stream.hpp"

#include <cstddef>
#include <span>
#include <string>

namespace gyre::cuda {

/// A grid of blocks of threads, and the kernel's dynamic shared memory in bytes.
struct LaunchShape {
  unsigned grid_x = 1, grid_y = 1, grid_z = 1;
  unsigned block_x = 1, block_y = 1, block_z = 1;
  unsigned shared_bytes = 0;
  /// All blocks run at once and may wait for each other.
  bool cooperative = false;
  /// Blocks per cluster along x; 1: no clusters.
  unsigned cluster_x = 1;

  friend bool operator==(const LaunchShape&, const LaunchShape&) = default;
};

/// What one kernel needs of a multiprocessor.
struct FunctionFacts {
  int registers = 0;
  std::size_t static_shared_bytes = 0;
  /// Spilled registers and local arrays, bytes per thread.
  std::size_t local_bytes = 0;
  int max_threads_per_block = 0;
};

/// A kernel of a module that somebody else keeps alive.
class Function {
 public:
  Function() = default;
  explicit Function(CUfunction function) : function_(function) {}

  CUfunction get() const { return function_; }
  FunctionFacts facts() const;
  /// How many blocks of `block_threads` threads fit on one multiprocessor at once.
  int blocks_per_sm(int block_threads, std::size_t shared_bytes) const;
  /// Lets a launch ask for up to `bytes` of dynamic shared memory.
  void allow_shared(std::size_t bytes) const;
  /// `arguments` point to the values of the kernel's parameters, which are copied.
  void launch(const LaunchShape& shape, std::span<void* const> arguments, StreamView stream) const;

 private:
  CUfunction function_ = nullptr;
};

/// Owns a module loaded into the current context. May be destroyed on any thread.
class Module {
 public:
  /// Loads a cubin; `name` says in errors whose it is. The bytes may go afterwards.
  Module(std::span<const char> cubin, std::string name);
  ~Module();
  Module(Module&& other) noexcept;
  Module& operator=(Module&& other) noexcept;

  /// The kernel `name` (of C linkage), loaded now: a first use while a stream is captured would
  /// break the capture.
  Function function(const std::string& name) const;
  /// The address of the `__device__` variable `name`.
  CUdeviceptr variable(const std::string& name) const;

 private:
  void release() noexcept;

  CUmodule module_ = nullptr;
  CUcontext context_ = nullptr;
  std::string name_;
};

}  // namespace gyre::cuda
