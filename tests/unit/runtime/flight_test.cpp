/// Launches that a device runs by itself, by an executor whose flights end when the test says so.
#include "airport.hpp"
#include "support/refusal.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::contains;
using support::refusal;

using FlownLaunches = Airfield;

TEST_F(FlownLaunches, AreLeftToTheDeviceAndAwaited) {
  auto executable = make();

  auto launch = executable.launch();
  const bool was_ready = launch.ready();
  const bool came_in_time = launch.wait_for(std::chrono::milliseconds(1));
  airport_.lands = true;

  EXPECT_FALSE(was_ready);
  EXPECT_FALSE(came_in_time);
  EXPECT_EQ(launch.progress(), 42u);
  EXPECT_EQ(launch.result().get<int>("trips"), 7);
  EXPECT_EQ(airport_.ran, 0);
}

TEST_F(FlownLaunches, AreWaitedForWhenDroppedUnlessTheStreamIsTheCallers) {
  auto executable = make(Overlap::Queue);
  std::atomic<bool> dropped = false;

  { auto on_a_stream = executable.launch(&stream_); }
  std::thread dropping([&] {
    { auto launch = executable.launch(); }
    dropped = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const bool was_dropped_early = dropped;
  airport_.lands = true;
  dropping.join();

  EXPECT_FALSE(was_dropped_early);
  EXPECT_EQ(airport_.streams, (std::vector<void*>{&stream_, nullptr}));
}

TEST_F(FlownLaunches, AreRefusedWhileOneIsUnderWay) {
  auto executable = make();
  auto first = executable.launch();

  const auto message = refusal([&] { auto second = executable.launch(); });
  airport_.lands = true;
  auto third = executable.launch();

  EXPECT_TRUE(contains(message, "still running")) << message;
  EXPECT_EQ(airport_.started, 2);
}

TEST_F(FlownLaunches, QueueUpWithTheirScalarsAndWithoutLookingAtMemoryAgain) {
  auto executable = make(Overlap::Queue);
  std::vector<Launch> launches;

  for (const double stop : {0.5, 0.25, 0.125}) {
    executable.set("stop", stop);
    launches.push_back(executable.launch());
  }
  executable.bind("x", x_);
  launches.push_back(executable.launch());
  airport_.lands = true;

  EXPECT_EQ(airport_.stops[0], 0.5);
  const auto& versions = airport_.memory_versions;
  EXPECT_EQ(versions[0], versions[1]);
  EXPECT_EQ(versions[0], versions[2]);
  EXPECT_NE(versions[0], versions[3]);
}

TEST_F(FlownLaunches, AreCancelledByTheirDevice) {
  auto executable = make();
  auto launch = executable.launch();

  launch.cancel();
  airport_.lands = true;

  EXPECT_TRUE(airport_.cancelled);
  EXPECT_TRUE(launch.result().completed());
}

TEST_F(FlownLaunches, TellWhatTheDeviceFailedOf) {
  auto executable = make();
  auto launch = executable.launch();

  airport_.crashes = true;

  EXPECT_THROW(launch.result(), EnvironmentError);
  EXPECT_THROW(launch.result(), EnvironmentError);
}

TEST_F(FlownLaunches, OnAStreamARunWithTheHostEndsBeforeItReturns) {
  airport_.needs_host = true;
  auto executable = make();

  auto launch = executable.launch(&stream_);

  EXPECT_TRUE(launch.ready());
  EXPECT_EQ(airport_.ran, 1);
  EXPECT_EQ(airport_.streams, std::vector<void*>{&stream_});
}

TEST_F(FlownLaunches, JoinACaptureAndSpeakOfItsReplays) {
  airport_.captures = true;
  auto executable = make();

  auto part = executable.launch(&stream_);
  auto other_part = executable.launch(&stream_);
  const auto message = refusal([&] { part.result(); });
  airport_.lands = true;

  EXPECT_EQ(airport_.joined, 2);
  EXPECT_EQ(airport_.started, 0);
  EXPECT_TRUE(contains(message, "has not run yet")) << message;
  EXPECT_EQ(part.result().get<int>("trips"), 7);
}

TEST_F(FlownLaunches, ANullStreamIsRefused) {
  auto executable = make();
  int* none = nullptr;

  EXPECT_TRUE(contains(refusal([&] { auto launch = executable.launch(none); }), "null stream"));
}

}  // namespace
}  // namespace gyre
