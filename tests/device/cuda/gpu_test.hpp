/// A test that needs a GPU and NVRTC; skipped with the reason where there is none.
#pragma once

#include "gyre/cuda/check.hpp"
#include "gyre/cuda/context.hpp"
#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/graph_exec.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/cuda/module.hpp"
#include "gyre/jit/compile.hpp"
#include "gyre/jit/nvrtc.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::cuda {

class GpuTest : public testing::Test {
 protected:
  void SetUp() override {
    if (driver() == nullptr) GTEST_SKIP() << why_no_driver();
    if (jit::nvrtc() == nullptr) GTEST_SKIP() << jit::why_no_nvrtc();
    context_.emplace();
    current_.emplace(*context_);
    stream_.emplace();
    facts_ = read_device_facts();
  }

  /// Kernels that every test of this room may use; `add` counts visits, `again` keeps a handle set
  /// while its counter is above zero.
  Module load_kernels() const {
    const jit::Cubin cubin = jit::compile_cubin({.source = R"(
extern "C" __device__ void cudaGraphSetConditional(unsigned long long, unsigned);

extern "C" __global__ void add(long long* cell, long long value) { *cell += value; }
extern "C" __global__ void set(unsigned long long handle, unsigned value) {
  cudaGraphSetConditional(handle, value);
}
extern "C" __global__ void store(long long* cell, long long value) { *cell = value; }
extern "C" __global__ void again(unsigned long long handle, long long* left) {
  *left -= 1;
  cudaGraphSetConditional(handle, *left > 0);
}
)",
                                                 .name = "gpu_test",
                                                 .architecture = facts_.architecture()});
    return Module(cubin.bytes, "gpu_test");
  }

  /// Cells of i64, zeroed.
  DeviceMemory make_cells(std::size_t count) const {
    DeviceMemory cells(count * sizeof(std::int64_t));
    clear(cells, *stream_);
    stream_->synchronize();
    return cells;
  }
  std::vector<std::int64_t> read(const DeviceMemory& cells) const {
    std::vector<std::int64_t> values(cells.bytes() / sizeof(std::int64_t));
    copy_to_host(values.data(), cells, cells.bytes(), *stream_);
    stream_->synchronize();
    return values;
  }
  void run(const Graph& graph) const {
    const GraphExec exec(graph);
    exec.launch(*stream_);
    stream_->synchronize();
  }

  std::optional<Context> context_;
  std::optional<CurrentContext> current_;
  std::optional<Stream> stream_;
  DeviceFacts facts_;
};

/// Adds `function(arguments...)`, one thread, after `after`.
template <class... Arguments>
CUgraphNode add_kernel(const GraphView& graph, Function function,
                       const std::vector<Dependency>& after, Arguments... arguments) {
  void* pointers[] = {&arguments...};
  return graph.add_kernel("a test kernel",
                          {.function = function, .shape = {}, .arguments = pointers}, after);
}

}  // namespace gyre::cuda
