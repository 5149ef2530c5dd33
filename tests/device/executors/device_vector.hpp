/// Memory of the GPU with values in it, as a caller would have it.
#pragma once

#include "gyre/cuda/context.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {

template <class T>
class DeviceVector {
 public:
  explicit DeviceVector(const std::vector<T>& values)
      : memory_(values.size() * sizeof(T)), count_(values.size()) {
    write(values);
  }

  T* data() const { return reinterpret_cast<T*>(memory_.address()); }
  std::vector<std::int64_t> extents() const { return {static_cast<std::int64_t>(count_)}; }

  void write(const std::vector<T>& values) const {
    const cuda::Stream stream;
    cuda::copy_to_device(memory_, values.data(), values.size() * sizeof(T), stream);
    stream.synchronize();
  }
  std::vector<T> read() const {
    const cuda::Stream stream;
    std::vector<T> values(count_);
    cuda::copy_to_host(values.data(), memory_, memory_.bytes(), stream);
    stream.synchronize();
    return values;
  }

 private:
  cuda::DeviceMemory memory_;
  std::size_t count_;
};

/// A test of device_graph with a caller's context and streams; skipped with the reason where there
/// is no GPU.
class DeviceGraphTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::string reason = executors::why_no_device_graph();
    if (!reason.empty()) GTEST_SKIP() << reason;
    context_.emplace();
    current_.emplace(*context_);
  }

  static Executable make(const std::string& text, Overlap overlap = Overlap::Refuse,
                         const text::CallRegistry& calls = {}) {
    CompileOptions options;
    options.executor = "device_graph";
    options.overlap = overlap;
    return compile(text::parse_program("test.gyre", text, calls), options);
  }

  template <class T>
  static void bind(Executable& executable, const char* name, const DeviceVector<T>& memory) {
    executable.bind(name, memory.data(), memory.extents());
  }

 private:
  std::optional<cuda::Context> context_;
  std::optional<cuda::CurrentContext> current_;
};

/// Whether `condition` comes true within ten seconds.
template <class Condition>
bool comes_true(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}

/// Doubles x and adds 1, k times.
inline constexpr const char* affine_program = R"(program affine(n: size) {
  inout x: f64[n]
  in k: i32
  out trips: i32
  while trips < k {
    foreach i in 0..n { x[i] = 2.0 * x[i] + 1.0 }
    trips += 1
  }
}
)";

inline constexpr const char* endless_program = R"(program endless() {
  in k: i64
  out n: i64
  while n < k {
    n += 1
  }
}
)";

}  // namespace gyre
