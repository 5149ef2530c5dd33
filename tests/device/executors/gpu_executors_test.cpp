/// What the GPU executors owe beyond the meaning of a program: calls, cancelling, rebinding, many
/// launches, and many executables at once.
#include "gyre/base/error.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/cuda/context.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"

#include <chrono>
#include <cstdint>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using Seconds = std::chrono::duration<double>;

class GpuExecutors : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string reason = executors::why_no_device_graph();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  static Executable make(const std::string& text, const text::CallRegistry& calls = {}) {
    CompileOptions options;
    options.executor = GetParam();
    return compile(text::parse_program("test.gyre", text, calls), options);
  }
};

TEST_P(GpuExecutors, NestedLoopsRunInEveryOuterTripToDepth32) {
  std::string text = "program deep() {\n  out n: i64\n";
  for (int i = 0; i < 32; ++i) {
    const std::string v = "v" + std::to_string(i);
    text += "var " + v + ": i32\nwhile " + v + " < " + (i % 8 == 0 ? "2" : "1") + " {\n" + v +
            " += 1\n";
  }
  text += "n += 1\n" + std::string(32, '}') + "\n}\n";
  for (std::size_t at = text.find("}}"); at != std::string::npos; at = text.find("}}")) {
    text.replace(at, 2, "}\n}");
  }

  const Result result = make(text).run();

  EXPECT_EQ(result.get<std::int64_t>("n"), 16);
}

TEST_P(GpuExecutors, TwoHundredBranchesInARowEachTakeTheirArm) {
  std::string text = "program many() {\n  in k: i32\n  out n: i32\n";
  for (int i = 0; i < 200; ++i) {
    text += "  if k > " + std::to_string(i) + " {\n    n += 1\n  } else {\n    n += 1000\n  }\n";
  }
  Executable many = make(text + "}\n");

  for (const int k : {0, 77, 200}) {
    many.set("k", k);
    EXPECT_EQ(many.run().get<std::int32_t>("n"), k + 1000 * (200 - k));
  }
}

// Each arm looks for itself whether somebody asks.
TEST_P(GpuExecutors, LoopsOfAllArmsAreCancelled) {
  Executable two = make(R"(program two() {
  out i: i64, j: i64, k: i64
  fork {
    while i >= 0 limit 50000000 { i += 1 }
  } and {
    while j >= 0 limit 50000000 { j += 1 }
  }
  while k < 5 { k += 1 }
})");
  two.prepare();
  Launch launch = two.launch();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_FALSE(launch.ready());

  launch.cancel();
  const Result result = launch.result();

  EXPECT_EQ(result.status(), ir::Status::Cancelled);
  EXPECT_EQ(result.trips("two/while#0"), 0u);
}

TEST_P(GpuExecutors, ADeviceLoopIsCancelledWithinMilliseconds) {
  // With a limit: a loop that cannot be cancelled would keep the device.
  Executable endless = make(
      "program endless() {\n  out n: i64\n  while true limit 50000000 {\n    n += 1\n  }\n}\n");
  endless.prepare();
  Launch launch = endless.launch();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ASSERT_FALSE(launch.ready());

  const auto start = std::chrono::steady_clock::now();
  launch.cancel();
  const Result result = launch.result();
  const Seconds took = std::chrono::steady_clock::now() - start;

  EXPECT_EQ(result.status(), ir::Status::Cancelled);
  EXPECT_GT(result.trips("endless/while#0"), 1000u);
  RecordProperty("milliseconds", std::to_string(took.count() * 1000));
  std::cout << "cancelled in " << took.count() * 1000 << " ms\n";
}

// An index computed from what the loop had not finished lies far outside its buffer.
TEST_P(GpuExecutors, NothingBehindACancelledLoopRuns) {
  Executable cut = make(R"(program cut(n: size) {
  in x: f64[n]
  out i: i64, s: f64, taken: i32
  while i >= 0 limit 50000000 { i += 1 }
  let at = select(i < 0, i64(0), 4000000000)
  s = x[at]
  foreach k in 0..n { s += x[at + k] }
  if s > 0.0 { taken = 1 }
})");
  std::vector<double> x(1000, 1.0);
  cut.set_size("n", 1000);
  cut.bind("x", std::span<const double>(x));
  cut.prepare();
  Launch launch = cut.launch();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_FALSE(launch.ready());

  launch.cancel();
  const Result result = launch.result();

  EXPECT_EQ(result.status(), ir::Status::Cancelled);
  EXPECT_EQ(result.arms("cut/if#0"), (std::vector<std::uint64_t>{0, 0}));
}

TEST_P(GpuExecutors, BuffersMayMoveAndGrowBetweenLaunches) {
  Executable twice = make(
      "program twice(n: size) {\n  in x: f64[n]\n  out y: f64[n], s: f64\n"
      "  foreach i in 0..n {\n    y[i] = 2.0 * x[i]\n  }\n  s = sum(i in 0..n) (y[i])\n}\n");

  for (const std::size_t n : {5U, 70'000U, 0U, 300'001U, 5U}) {
    std::vector<double> x(n, 1.5);
    std::vector<double> y(n, -1);
    twice.set_size("n", static_cast<std::int64_t>(n));
    twice.bind("x", std::span<const double>(x));
    twice.bind("y", std::span<double>(y));
    EXPECT_EQ(twice.run().get<double>("s"), 3.0 * static_cast<double>(n));
    EXPECT_EQ(y, std::vector<double>(n, 3.0));
  }
}

TEST_P(GpuExecutors, DeviceMemoryIsUsedWhereItIs) {
  const cuda::Context context;
  const cuda::CurrentContext current(context);
  const cuda::Stream stream;
  cuda::DeviceMemory memory(1000 * sizeof(float));
  cuda::clear(memory, stream);
  stream.synchronize();
  Executable fill = make(
      "program grow(n: size) {\n  inout x: f32[n]\n  foreach i in 0..n {\n    x[i] += f32(i)\n  "
      "}\n}\n");
  fill.bind("x",
            ir::BufferView{ir::ScalarType::F32, {1000}, reinterpret_cast<void*>(memory.address())});

  fill.run();
  fill.run();

  std::vector<float> seen(1000);
  cuda::copy_to_host(seen.data(), memory, memory.bytes(), stream);
  stream.synchronize();
  for (int i = 0; i < 1000; ++i)
    ASSERT_EQ(seen[static_cast<std::size_t>(i)], 2.0F * static_cast<float>(i));
}

text::CallRegistry registry_with(const std::string& name,
                                 std::function<void(const ir::DeviceCallContext&)> work) {
  auto callee = std::make_shared<ir::Callee>();
  callee->name = name;
  callee->accesses = {ir::Access::Write};
  callee->device = std::move(work);
  return {{name, std::move(callee)}};
}

constexpr const char* calling_program = R"(program calling(n: size) {
  inout x: i32[n]
  out total: i64
  for i in 0..5 {
    foreach k in 0..n { x[k] = x[k] + 7 }
    if i == 3 { call wipe(x) }
  }
  total = sum(k in 0..n) (i64(x[k]))
}
)";

TEST_P(GpuExecutors, ACallRunsInsideABranchOfALoop) {
  const auto calls = registry_with("wipe", [](const ir::DeviceCallContext& call) {
    const auto address = reinterpret_cast<CUdeviceptr>(call.pointer<void>(0));
    cuda::clear({address, static_cast<std::size_t>(call.arguments[0].element_count()) * 4},
                static_cast<CUstream>(call.stream));
  });
  Executable calling = make(calling_program, calls);
  std::vector<std::int32_t> x(1000, 1);
  calling.bind("x", std::span<std::int32_t>(x));

  EXPECT_EQ(calling.run().get<std::int64_t>("total"), 7000);
  EXPECT_EQ(calling.run().get<std::int64_t>("total"), 7000);
}

TEST_P(GpuExecutors, ACallWithoutDeviceFunctionIsOneSentence) {
  Executable calling = make(calling_program, registry_with("wipe", {}));
  std::vector<std::int32_t> x(10, 1);
  calling.bind("x", std::span<std::int32_t>(x));

  try {
    calling.run();
    FAIL() << "the call ran";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'wipe'"), std::string::npos) << error.what();
  }
}

TEST_P(GpuExecutors, AThousandLaunchesKeepMemoryFlat) {
  Executable sum = make(
      "program total(n: size) {\n  in x: f64[n]\n  out s: f64\n  s = sum(i in 0..n) (x[i])\n}\n");
  std::vector<double> x(10'000);
  std::iota(x.begin(), x.end(), 0.0);
  sum.bind("x", std::span<const double>(x));
  sum.run();
  const cuda::Context context;
  const cuda::CurrentContext current(context);
  const std::size_t before = cuda::memory_info().free_bytes;

  for (int i = 0; i < 1000; ++i) ASSERT_EQ(sum.run().get<double>("s"), 49'995'000.0);

  EXPECT_EQ(cuda::memory_info().free_bytes, before);
}

TEST_P(GpuExecutors, SixteenExecutablesRunAtOnce) {
  const auto work = [] {
    Executable count =
        make("program count() {\n  in k: i64\n  out n: i64\n  while n < k {\n    n += 1\n  }\n}\n");
    for (std::int64_t k = 0; k < 40; ++k) {
      count.set("k", k);
      EXPECT_EQ(count.run().get<std::int64_t>("n"), k);
    }
  };
  std::vector<std::thread> threads;

  for (int i = 0; i < 16; ++i) threads.emplace_back(work);

  for (std::thread& thread : threads) thread.join();
}

INSTANTIATE_TEST_SUITE_P(Executors, GpuExecutors,
                         ::testing::Values("device_graph", "persistent", "host_branch"),
                         [](const auto& executor) { return std::string(executor.param); });

class DeviceGraphAlone : public GpuExecutors {};

TEST_P(DeviceGraphAlone, NeverWaitsForTheDeviceInALaunch) {
  const Result result =
      make(
          "program p() {\n  out n: i32\n  while n < 100 {\n    if n % 2 == 0 {\n      n += 3\n"
          "    } else {\n      n -= 1\n    }\n  }\n}\n")
          .run();

  EXPECT_EQ(result.host_syncs(), 0u);
}

TEST_P(DeviceGraphAlone, ACallThatAllocatesIsRefusedByName) {
  const auto calls = registry_with("wipe", [](const ir::DeviceCallContext& call) {
    const auto stream = static_cast<CUstream>(call.stream);
    const auto allocate = reinterpret_cast<decltype(&::cuMemAllocAsync)>(
        cuda::driver()->find("cuMemAllocAsync", 11020));
    const auto release = reinterpret_cast<decltype(&::cuMemFreeAsync)>(
        cuda::driver()->find("cuMemFreeAsync", 11020));
    CUdeviceptr scratch = 0;
    cuda::check(allocate(&scratch, 1024, stream), "cuMemAllocAsync");
    cuda::check(release(scratch, stream), "cuMemFreeAsync");
  });
  Executable calling = make(calling_program, calls);
  std::vector<std::int32_t> x(10, 1);
  calling.bind("x", std::span<std::int32_t>(x));

  for (int attempt = 0; attempt < 5; ++attempt) {
    try {
      calling.run();
      FAIL() << "the call was taken into the graph";
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("wipe"), std::string::npos) << message;
      EXPECT_NE(message.find("alloc"), std::string::npos) << message;
    }
  }

  Executable fine = make("program p() {\n  out n: i32\n  n = 3\n}\n");
  EXPECT_EQ(fine.run().get<std::int32_t>("n"), 3);
}

INSTANTIATE_TEST_SUITE_P(Executors, DeviceGraphAlone,
                         ::testing::Values("device_graph", "persistent"),
                         [](const auto& executor) { return std::string(executor.param); });

}  // namespace
}  // namespace gyre
