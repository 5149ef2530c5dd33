/// The kernels of kernels/primitives.cuh and sweep_primitives.cuh on the device, and graphs of
/// them.
#pragma once

#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/graph_exec.hpp"
#include "gyre/cuda/memory.hpp"

#include <map>
#include <string>
#include <vector>

namespace gyre::executors {

/// Kernels, the memory they work on, and a stream. Lives in the current context.
class Primitives {
 public:
  explicit Primitives(const cuda::DeviceFacts& facts);

  cuda::Function function(const char* kernel) const { return functions_.at(kernel); }
  cuda::StreamView stream() const { return stream_; }
  /// 65,536 floats, a thread for each of `every_float`.
  CUdeviceptr data() const { return data_.address(); }
  static constexpr cuda::LaunchShape every_float = {.grid_x = 256, .block_x = 256};
  /// Words of zero: one that kernels count in, and one that nobody writes.
  CUdeviceptr count() const { return words_.address(); }
  CUdeviceptr zero() const { return words_.address() + sizeof(unsigned); }

  /// Runs `kernel` by itself, after what is on the stream.
  template <class... Arguments>
  void launch(const char* kernel, const cuda::LaunchShape& shape, Arguments... arguments) const {
    void* pointers[] = {&arguments...};
    function(kernel).launch(shape, pointers, stream_);
  }

 private:
  cuda::Module module_;
  std::map<std::string, cuda::Function> functions_;
  cuda::Stream stream_;
  cuda::DeviceMemory data_;
  cuda::DeviceMemory words_;
};

/// Nodes one behind another: a graph, or the body of a conditional node.
class Chain {
 public:
  Chain(const Primitives& primitives, cuda::GraphView graph)
      : primitives_(primitives), graph_(std::move(graph)) {}

  /// Adds `kernel` over every float; `arguments` follow the data.
  template <class... Arguments>
  void add(const char* kernel, Arguments... arguments) {
    CUdeviceptr data = primitives_.data();
    void* pointers[] = {&data, &arguments...};
    append(kernel, Primitives::every_float, pointers, false);
  }
  /// Adds `kernel`; `early`: it may start before the kernel ahead of it has ended, if there is one.
  template <class... Arguments>
  void add_kernel(const char* kernel, const cuda::LaunchShape& shape, bool early,
                  Arguments... arguments) {
    void* pointers[] = {&arguments...};
    append(kernel, shape, pointers, early);
  }

  /// Adds a loop of `trips` trips, whose body `fill` makes: `fill(body)`. The body's end is added.
  template <class Fill>
  void add_loop(unsigned trips, const Fill& fill) {
    const auto handle = graph_.make_handle();
    Chain body = enter_loop(trips, handle);
    fill(body);
    body.add("gyre_repeat", primitives_.count(), handle);
  }

  /// Adds work that sets a branch to `first` and the numbers behind it, `count` of them, in turns;
  /// then the branch, of `arms` arms with work in each.
  void add_branch(cuda::ConditionalKind kind, unsigned arms, unsigned first, unsigned count);

 private:
  void append(const char* kernel, const cuda::LaunchShape& shape, std::span<void* const> arguments,
              bool early);
  Chain enter_loop(unsigned trips, cuda::ConditionalHandle handle);
  std::vector<Chain> append(cuda::ConditionalKind kind, cuda::ConditionalHandle handle,
                            unsigned bodies);

  const Primitives& primitives_;
  cuda::GraphView graph_;
  std::vector<cuda::Dependency> last_;
};

}  // namespace gyre::executors
