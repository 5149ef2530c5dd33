/// Tests of calls to work of the user's, on each executor that has a GPU; skipped with the reason
/// where there is none.
#pragma once

#include "gyre/executors/gpu.hpp"
#include "gyre/gyre.hpp"
#include "kernels.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {

/// Throws what cudart says, as users' own macros do.
inline void must(cudaError_t result) {
  if (result != cudaSuccess) throw std::runtime_error(cudaGetErrorString(result));
}

/// A stream and the events of a fork and a join.
struct Side {
  Side() {
    must(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    must(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    must(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  }
  ~Side() {
    cudaEventDestroy(join);
    cudaEventDestroy(fork);
    cudaStreamDestroy(stream);
  }
  Side(const Side&) = delete;
  Side& operator=(const Side&) = delete;

  cudaStream_t stream = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
};

class CallTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string reason = executors::why_no_device_graph();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }
  void TearDown() override { cudaGetLastError(); }

  static Executable compile_here(Program& p, const std::string& executor = GetParam()) {
    CompileOptions options;
    options.executor = executor;
    return compile(p.finish(), options);
  }

  /// A program that makes one call named `work` on `x` in each of three trips.
  static Executable compile_loop_around(
      const std::function<void(Program&, const builder::Buffer<std::int32_t>&)>& call,
      const std::string& executor = GetParam()) {
    Program p("p");
    auto n = p.size("n");
    auto x = p.inout<std::int32_t>("x", {n});
    auto k = p.var("k", 0);
    p.while_(k < 3, [&] {
      call(p, x);
      k += 1;
    });
    return compile_here(p, executor);
  }

  /// What `x`, 1,000 times `start`, holds after a run of `executable`.
  static std::vector<std::int32_t> run_on_thousand(Executable& executable, std::int32_t start) {
    std::vector<std::int32_t> x(1000, start);
    executable.bind("x", x);
    EXPECT_TRUE(executable.run().completed());
    return x;
  }

  /// Of the GPU.
  static std::size_t free_bytes() {
    std::size_t free = 0;
    std::size_t total = 0;
    must(cudaMemGetInfo(&free, &total));
    return free;
  }
};

inline std::string executor_name(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}

}  // namespace gyre
