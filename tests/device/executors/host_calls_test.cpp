/// Calls that run on the host, between graphs: the branches around them are the host's, everything
/// else stays on the device.
#include "device_vector.hpp"
#include "gyre/base/error.hpp"
#include "gyre/cuda/capture.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace gyre {
namespace {

using HostCalls = DeviceGraphTest;

text::CallRegistry watching(std::function<void(ir::HostCallContext&)> work) {
  auto watch = std::make_shared<ir::Callee>();
  watch->name = "watch";
  watch->accesses = {ir::Access::ReadWrite, ir::Access::Read};
  watch->placement = ir::Placement::Host;
  watch->host = std::move(work);
  return {{"watch", std::move(watch)}};
}

// The inner loop and the branch beside it stay on the device.
constexpr const char* watched_program = R"(program watched(n: size) {
  inout x: i64[n]
  out i: i64, s: i64
  while i < 6 {
    for j in 0..4 {
      foreach k in 0..n { x[k] += 1 }
      if j == 2 { s += 1 }
    }
    if i % 2 == 1 { call watch(x, i) }
    i += 1
  }
}
)";

TEST_F(HostCalls, SeeTheDevicesMemoryAndWriteIt) {
  std::vector<std::int64_t> seen;
  Executable watched = make(watched_program, Overlap::Refuse, watching([&](auto& call) {
                              auto* x = static_cast<std::int64_t*>(call.arguments[0].data);
                              seen.push_back(x[49]);
                              seen.push_back(*static_cast<std::int64_t*>(call.arguments[1].data));
                              for (int k = 0; k < 50; ++k) x[k] = 100;
                            }));
  const DeviceVector<std::int64_t> x(std::vector<std::int64_t>(50, 0));
  bind(watched, "x", x);

  const Result result = watched.run();

  EXPECT_EQ(seen, (std::vector<std::int64_t>{8, 1, 108, 3, 108, 5}));
  EXPECT_EQ(x.read(), std::vector<std::int64_t>(50, 100));
  EXPECT_EQ(result.get<std::int64_t>("s"), 6);
  EXPECT_EQ(result.trips("watched/while#0"), 6u);
  EXPECT_EQ(result.trips("watched/while#0/for#0"), 24u);
  // Seven tests of the outer loop, six of the branch, three calls; none for what is in the loop.
  EXPECT_EQ(result.host_syncs(), 16u);
}

TEST_F(HostCalls, AreRunByALaunchOnAStreamBeforeItReturns) {
  int calls = 0;
  Executable watched = make(watched_program, Overlap::Refuse, watching([&](auto&) { ++calls; }));
  const cuda::Stream stream;
  const DeviceVector<std::int64_t> x(std::vector<std::int64_t>(50, 0));
  bind(watched, "x", x);

  auto launch = watched.launch(stream.get());

  EXPECT_EQ(calls, 3);
  EXPECT_TRUE(launch.ready());
  EXPECT_EQ(x.read(), std::vector<std::int64_t>(50, 24));
}

TEST_F(HostCalls, MayThrowAndTheNextLaunchIsRight) {
  bool throws = true;
  Executable watched = make(watched_program, Overlap::Refuse, watching([&](auto&) {
                              if (throws) throw std::runtime_error("no more");
                            }));
  for (int attempt = 0; attempt < 3; ++attempt) {
    const DeviceVector<std::int64_t> x(std::vector<std::int64_t>(50, 0));
    bind(watched, "x", x);
    throws = true;
    EXPECT_THROW(watched.run(), std::runtime_error);
    throws = false;
    x.write(std::vector<std::int64_t>(50, 0));
    EXPECT_EQ(watched.run().get<std::int64_t>("s"), 6);
    EXPECT_EQ(x.read(), std::vector<std::int64_t>(50, 24));
  }
}

TEST_F(HostCalls, ALoopBesideThemIsCancelled) {
  Executable watched = make(R"(program watched(n: size) {
  inout x: i64[n]
  out i: i64
  call watch(x, i)
  while true { i += 1 }
}
)",
                            Overlap::Refuse, watching([](auto&) {}));
  const DeviceVector<std::int64_t> x(std::vector<std::int64_t>(50, 0));
  bind(watched, "x", x);
  Launch launch = watched.launch();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));

  launch.cancel();

  EXPECT_EQ(launch.result().status(), ir::Status::Cancelled);
  EXPECT_GT(launch.result().total_trips(), 100u);
}

TEST_F(HostCalls, AreRefusedInACaptureByName) {
  Executable watched = make(watched_program, Overlap::Refuse, watching([](auto&) {}));
  const cuda::Stream stream;
  const DeviceVector<std::int64_t> x(std::vector<std::int64_t>(50, 0));
  bind(watched, "x", x);
  const cuda::Graph graph("a caller's graph");
  cuda::Capture capture(stream, graph.view(), {});

  try {
    auto launch = watched.launch(stream.get());
    ADD_FAILURE() << "a call of the host was captured";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("'watch'"), std::string::npos) << error.what();
  }

  capture.end();
}

}  // namespace
}  // namespace gyre
