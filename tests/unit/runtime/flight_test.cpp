/// Launches that a device runs by itself, by an executor whose flights end when the test says so.
#include "complaint.hpp"
#include "gyre/executors/make_executor.hpp"
#include "halving.hpp"

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

using executors::Executor;
using executors::ExecutorOptions;
using executors::Flight;

/// What a test does to flights, and what it sees of them.
struct Airport {
  std::atomic<bool> lands = false;
  std::atomic<bool> crashes = false;
  std::atomic<bool> cancelled = false;
  bool needs_host = false;
  bool captures = false;
  int started = 0;
  int joined = 0;
  int ran = 0;
  std::vector<void*> streams;
  std::vector<std::uint64_t> memory_versions;
  std::vector<double> stops;
};
Airport* airport = nullptr;

class ControlledFlight final : public Flight {
 public:
  bool is_done() override {
    if (airport->crashes) throw EnvironmentError("the device fell off the bus");
    return airport->lands;
  }
  void cancel() override { airport->cancelled = true; }
  std::uint64_t progress() override { return 42; }
  ir::Outcome outcome() override {
    if (!airport->lands) throw UsageError("the graph has not run yet");
    ir::Outcome outcome;
    outcome.scalars.emplace("trips", ir::Value(std::int32_t{7}));
    return outcome;
  }
};

class ControlledExecutor final : public Executor {
 public:
  std::string_view name() const override { return "persistent"; }
  ir::Outcome run(const ir::Bound&, const ir::RunOptions& options) override {
    ++airport->ran;
    airport->streams.push_back(options.stream);
    return {};
  }
  std::shared_ptr<Flight> start(const ir::Bound& bound, const ir::RunOptions& options) override {
    if (airport->needs_host) return nullptr;
    ++airport->started;
    airport->streams.push_back(options.stream);
    airport->memory_versions.push_back(bound.memory_version);
    for (const ir::Value& value : bound.values) {
      if (value.type() == ir::ScalarType::F64) airport->stops.push_back(value.as<double>());
    }
    return std::make_shared<ControlledFlight>();
  }
  bool is_capturing(void* stream) const override { return stream != nullptr && airport->captures; }
  std::shared_ptr<Flight> join(const ir::Bound&, const ir::RunOptions&) override {
    ++airport->joined;
    return std::make_shared<ControlledFlight>();
  }
};

class FlownLaunches : public ::testing::Test {
 protected:
  FlownLaunches() {
    airport = &airport_;
    executors::offer_executor({"persistent", [] { return std::string(); },
                               [](auto, const ExecutorOptions&) -> std::unique_ptr<Executor> {
                                 return std::make_unique<ControlledExecutor>();
                               }});
  }
  ~FlownLaunches() override {
    executors::offer_executor(
        {"persistent", [] { return std::string("this build of gyre does not have it"); }, nullptr});
  }

  Executable make(Overlap overlap = Overlap::Refuse) {
    auto executable = compile(halving(), {.executor = "persistent", .overlap = overlap});
    executable.bind("x", x_);
    return executable;
  }

  Airport airport_;
  std::vector<double> x_ = std::vector<double>(4, 1.0);
  int stream_ = 0;
};

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

  const auto message = complaint([&] { auto second = executable.launch(); });
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
  const auto message = complaint([&] { part.result(); });
  airport_.lands = true;

  EXPECT_EQ(airport_.joined, 2);
  EXPECT_EQ(airport_.started, 0);
  EXPECT_TRUE(contains(message, "has not run yet")) << message;
  EXPECT_EQ(part.result().get<int>("trips"), 7);
}

TEST_F(FlownLaunches, ANullStreamIsRefused) {
  auto executable = make();
  int* none = nullptr;

  EXPECT_TRUE(contains(complaint([&] { auto launch = executable.launch(none); }), "null stream"));
}

}  // namespace
}  // namespace gyre
