/// What the tests of replay share: an executable of any executor, memory of its kind, and programs.
#pragma once

#include "gyre/cuda/device_facts.hpp"
#include "own_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gyre {

using Doubles = std::vector<double>;

inline constexpr const char* long_program = R"(program long(n: size) {
  in k: i64, x: f64[n]
  inout y: f64[n]
  out trips: i64
  while trips < k { trips += 1 }
  foreach i in 0..n { y[i] += x[i] }
}
)";

class ReplayTest : public ::testing::TestWithParam<const char*> {
 protected:
  using Numbers = OwnMemory<double>;

  void SetUp() override {
    if (!has_gpu()) return;
    const std::string reason = executors::why_no_device_graph();
    if (!reason.empty()) GTEST_SKIP() << reason;
    context_.emplace();
    current_.emplace(*context_);
  }

  static bool has_gpu() { return std::string(GetParam()) != "cpu"; }
  static Executable make(const std::string& text, CompileOptions options = {},
                         const text::CallRegistry& calls = {}) {
    options.executor = GetParam();
    return compile(text::parse_program("test.gyre", text, calls), options);
  }
  /// Whether it is fast enough for thousands of launches.
  static bool is_quick() { return !has_gpu() || !is_host_as_gpu(); }
  /// Whether a launch is still under way when `launch` returns: that of the GPU that is the host is
  /// where its streams are late.
  static bool launches_take_time() {
    return !has_gpu() || !is_host_as_gpu() || std::getenv("GYRE_EMULATED_STREAMS") != nullptr;
  }
  static bool is_host_as_gpu() { return cuda::read_device_facts().name == "the host as a GPU"; }
  static Numbers numbers(const Doubles& values) { return {GetParam(), values}; }
  /// `long_program` on these, told to make no trip.
  static Executable make_long(const Numbers& x, const Numbers& y, const CompileOptions& options) {
    Executable made = make(long_program, options);
    bind(made, "x", x);
    bind(made, "y", y);
    made.set("k", 0);
    return made;
  }

 private:
  std::optional<cuda::Context> context_;
  std::optional<cuda::CurrentContext> current_;
};

// Has temporaries as large as its input.
inline constexpr const char* twice_program = R"(program twice(n: size) {
  in x: f64[n]
  out y: f64[n], total: f64
  temp t: f64[n], u: f64[n]
  foreach i in 0..n { t[i] = x[i] + 1.0 }
  foreach i in 0..n { u[i] = t[n - 1 - i] }
  foreach i in 0..n { y[i] = t[i] + u[n - 1 - i] }
  total = sum(i in 0..n) y[i]
}
)";

struct Twice {
  Twice(Executable made, const std::string& executor, std::size_t n)
      : x(executor, Doubles(n, 2.0)), y(executor, Doubles(n)), executable(std::move(made)) {
    bind(executable, "x", x);
    bind(executable, "y", y);
  }
  bool is_right() {
    const auto n = static_cast<double>(y.extents()[0]);
    return executable.run().get<double>("total") == 6.0 * n && y.read().back() == 6.0;
  }

  OwnMemory<double> x;
  OwnMemory<double> y;
  Executable executable;
};

/// Every executor; what needs a GPU is skipped, with the reason, where there is none.
inline const auto every_executor =
    ::testing::Values("cpu", "device_graph", "persistent", "host_branch");

inline std::string executor_name(const ::testing::TestParamInfo<const char*>& executor) {
  return executor.param;
}

}  // namespace gyre
