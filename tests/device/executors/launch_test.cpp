/// Launches on a GPU: on streams, in a queue, at once, and very often.
#include "device_vector.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <thread>
#include <vector>

namespace gyre {
namespace {

using DeviceLaunch = DeviceGraphTest;

// Longer than any test waits, but not so long that a fault keeps the device.
constexpr std::int64_t for_ever = 6'000'000;

std::size_t resident_kilobytes() {
  std::ifstream statm("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  statm >> total >> resident;
  return resident * 4;
}

TEST_F(DeviceLaunch, TakesItsPlaceOnTheCallersStream) {
  const cuda::Stream stream;
  const DeviceVector<double> x(std::vector<double>(1000, 1.0));
  Executable affine = make(affine_program, Overlap::Queue);
  bind(affine, "x", x);
  affine.set("k", 3);
  affine.prepare();

  // Cleared in between: 0 -> 7 only if each launch stands where it was put.
  for (int i = 0; i < 20; ++i) {
    cuda::clear({reinterpret_cast<CUdeviceptr>(x.data()), 8000}, stream);
    auto launch = affine.launch(stream.get());
  }
  stream.synchronize();

  EXPECT_EQ(x.read(), std::vector<double>(1000, 7.0));
}

TEST_F(DeviceLaunch, QueuedOnesKeepTheirScalarsAndResults) {
  const DeviceVector<double> x(std::vector<double>(10, 0.0));
  Executable affine = make(affine_program, Overlap::Queue);
  bind(affine, "x", x);
  std::vector<Launch> launches;

  for (int k = 0; k < 40; ++k) {
    affine.set("k", k);
    launches.push_back(affine.launch());
  }

  for (int k = 0; k < 40; ++k) {
    const Result& result = launches[static_cast<std::size_t>(k)].result();
    EXPECT_EQ(result.get<std::int32_t>("trips"), k);
    EXPECT_EQ(result.trips("affine/while#0"), static_cast<std::uint64_t>(k));
    EXPECT_EQ(result.host_syncs(), 0u);
  }
}

TEST_F(DeviceLaunch, ASecondOneIsRefusedWhileOneRuns) {
  Executable endless = make(endless_program);
  endless.set("k", for_ever);
  Launch first = endless.launch();

  EXPECT_THROW(static_cast<void>(endless.launch()), UsageError);

  first.cancel();
  EXPECT_EQ(first.result().status(), ir::Status::Cancelled);
  endless.set("k", 5);
  EXPECT_EQ(endless.run().get<std::int64_t>("n"), 5);
}

TEST_F(DeviceLaunch, CancellingEndsThatOneAlone) {
  Executable endless = make(endless_program, Overlap::Queue);
  endless.set("k", for_ever);
  Launch first = endless.launch();
  Launch second = endless.launch();
  endless.set("k", 7);
  Launch third = endless.launch();

  // The second is cancelled before it has begun.
  second.cancel();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(first.ready());
  first.cancel();

  EXPECT_EQ(first.result().status(), ir::Status::Cancelled);
  EXPECT_GT(first.result().trips("endless/while#0"), 100u);
  EXPECT_EQ(second.result().status(), ir::Status::Cancelled);
  EXPECT_EQ(second.result().trips("endless/while#0"), 0u);
  EXPECT_EQ(third.result().get<std::int64_t>("n"), 7);
}

TEST_F(DeviceLaunch, CanBeWatchedWhileItRuns) {
  Executable endless = make(endless_program);
  endless.set("k", for_ever);
  Launch launch = endless.launch();

  std::uint64_t seen = 0;
  const bool moves = comes_true([&] { return (seen = launch.progress()) >= 1000; });
  const std::uint64_t later = launch.progress();
  launch.cancel();

  EXPECT_TRUE(moves);
  EXPECT_GE(later, seen);
  EXPECT_GE(launch.result().total_trips(), later);
}

TEST_F(DeviceLaunch, RebindsWhileOthersWaitInTheQueue) {
  Executable affine = make(affine_program, Overlap::Queue);
  std::vector<DeviceVector<double>> memory;
  for (int i = 0; i < 30; ++i) memory.emplace_back(std::vector<double>(500, i));

  std::vector<Launch> launches;
  affine.set("k", 2);
  for (const auto& x : memory) {
    bind(affine, "x", x);
    launches.push_back(affine.launch());
  }
  for (Launch& launch : launches) ASSERT_TRUE(launch.result().completed());

  for (int i = 0; i < 30; ++i) {
    EXPECT_EQ(memory[static_cast<std::size_t>(i)].read(), std::vector<double>(500, 4.0 * i + 3.0));
  }
}

TEST_F(DeviceLaunch, SixtyFourExecutablesRunOnSixtyFourStreamsFromSixteenThreads) {
  constexpr int threads = 16;
  constexpr int each = 4;
  std::atomic<int> right = 0;
  const auto work = [&](int number) {
    const cuda::Context context;
    const cuda::CurrentContext current(context);
    std::vector<cuda::Stream> streams(each);
    std::vector<Executable> executables;
    for (int i = 0; i < each; ++i) executables.push_back(make(endless_program));
    for (int round = 0; round < 50; ++round) {
      std::vector<Launch> launches;
      for (int i = 0; i < each; ++i) {
        const auto at = static_cast<std::size_t>(i);
        executables[at].set("k", std::int64_t{round} * (number + i) % 97);
        launches.push_back(executables[at].launch(streams[at].get()));
      }
      for (int i = 0; i < each; ++i) {
        const auto n = launches[static_cast<std::size_t>(i)].result().get<std::int64_t>("n");
        if (n == round * (number + i) % 97) ++right;
      }
    }
  };
  std::vector<std::thread> running;

  for (int i = 0; i < threads; ++i) running.emplace_back(work, i);
  for (std::thread& thread : running) thread.join();

  EXPECT_EQ(right, threads * each * 50);
}

TEST_F(DeviceLaunch, LoopsOfDifferentExecutablesOverlap) {
  // Each is cancelled only once all have been seen to run. A device runs eight streams at once,
  // unless CUDA_DEVICE_MAX_CONNECTIONS says more.
  std::vector<Executable> executables;
  std::vector<Launch> launches;
  for (int i = 0; i < 4; ++i) executables.push_back(make(endless_program));
  for (Executable& executable : executables) {
    executable.set("k", for_ever);
    launches.push_back(executable.launch());
  }

  const bool all_ran = comes_true([&] {
    return std::all_of(launches.begin(), launches.end(),
                       [](const Launch& launch) { return launch.progress() > 100; });
  });

  EXPECT_TRUE(all_ran);
  for (Launch& launch : launches) launch.cancel();
  for (Launch& launch : launches) EXPECT_EQ(launch.result().status(), ir::Status::Cancelled);
}

TEST_F(DeviceLaunch, TenThousandKeepMemoryFlat) {
  const DeviceVector<double> x(std::vector<double>(1000, 0.0));
  Executable affine = make(affine_program);
  bind(affine, "x", x);
  affine.set("k", 1);
  for (int i = 0; i < 1000; ++i) affine.run();
  const std::size_t device = cuda::memory_info().free_bytes;
  const std::size_t host = resident_kilobytes();

  for (int i = 0; i < 10'000; ++i) {
    affine.set("k", i % 3);
    ASSERT_EQ(affine.run().get<std::int32_t>("trips"), i % 3);
  }

  EXPECT_EQ(cuda::memory_info().free_bytes, device);
  EXPECT_LT(resident_kilobytes(), host + 1024);
}

TEST_F(DeviceLaunch, CompilingAndDestroyingAThousandTimesKeepsMemoryFlat) {
  const auto once = [] {
    Executable affine = make(affine_program);
    const DeviceVector<double> x(std::vector<double>(100, 0.0));
    bind(affine, "x", x);
    affine.set("k", 2);
    EXPECT_EQ(affine.run().get<std::int32_t>("trips"), 2);
  };
  for (int i = 0; i < 100; ++i) once();
  const std::size_t before = cuda::memory_info().free_bytes;

  for (int i = 0; i < 1000; ++i) once();

  EXPECT_GE(cuda::memory_info().free_bytes + (4U << 20), before);
}

}  // namespace
}  // namespace gyre
