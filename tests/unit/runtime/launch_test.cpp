#include "gyre/runtime/launch.hpp"

#include "gyre/base/log.hpp"
#include "halving.hpp"
#include "support/refusal.hpp"

#include <atomic>
#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::contains;
using support::refusal;

void wait_for_trips(const Launch& launch, std::uint64_t trips) {
  while (launch.progress() < trips) std::this_thread::yield();
}

TEST(Launch, RunsBesideItsCaller) {
  auto executable = compile(endless());

  auto launch = executable.launch();
  wait_for_trips(launch, 10);
  const bool was_ready = launch.ready();
  launch.cancel();
  const auto result = launch.result();

  EXPECT_FALSE(was_ready);
  EXPECT_TRUE(launch.ready());
  EXPECT_EQ(result.status(), Status::Cancelled);
  EXPECT_GE(result.total_trips(), 10u);
}

TEST(Launch, WaitsForTheEndNoLongerThanAsked) {
  auto executable = compile(endless());
  auto launch = executable.launch();

  const bool ended_by_itself = launch.wait_for(std::chrono::milliseconds(1));
  launch.cancel();
  const bool ended_by_cancel = launch.wait_for(std::chrono::minutes(10));

  EXPECT_FALSE(ended_by_itself);
  EXPECT_TRUE(ended_by_cancel);
  EXPECT_TRUE(launch.ready());
}

TEST(Launch, IsCancelledFromAnyThread) {
  auto executable = compile(endless());
  auto launch = executable.launch();

  std::thread other([&] { launch.cancel(); });
  const auto result = launch.result();
  other.join();

  EXPECT_EQ(result.status(), Status::Cancelled);
}

TEST(Launch, TheResultMayBeAskedForAgain) {
  auto executable = compile(halving());
  std::vector<double> x = {8};
  executable.bind("x", x);
  auto launch = executable.launch();

  EXPECT_EQ(launch.result().total_trips(), 3u);
  EXPECT_EQ(launch.result().total_trips(), 3u);
  EXPECT_EQ(launch.progress(), 3u);
}

TEST(Launch, OverlapIsRefusedByDefault) {
  auto executable = compile(endless());
  auto launch = executable.launch();

  EXPECT_PRED2(contains, refusal([&] { (void)executable.launch(); }), "still running");
  EXPECT_PRED2(contains, refusal([&] { executable.run(); }), "still running");

  launch.cancel();
  launch.result();
  auto again = executable.launch();
  again.cancel();
}

TEST(Launch, ACallThatWouldWaitForItselfIsRefused) {
  builder::Program p("within");
  auto seen = p.out<std::int32_t>("seen", {1});
  std::optional<Executable> executable;
  std::vector<std::string> told;
  p.call("again", builder::writes(seen), [&](builder::HostCallContext&) {
    told = {refusal([&] { executable->run(); }), refusal([&] { executable->prepare(); })};
  });
  std::vector<std::int32_t> memory(1);
  executable.emplace(compile(p.finish(), {.executor = "cpu", .overlap = Overlap::Queue}));
  executable->bind("seen", memory);

  for (const bool beside : {false, true}) {
    told.clear();
    const auto result = beside ? executable->launch().result() : executable->run();

    EXPECT_TRUE(result.completed());
    ASSERT_EQ(told.size(), 2u);
    for (const std::string& one : told) EXPECT_PRED2(contains, one, "would wait for itself");
  }
}

TEST(Launch, ACallIsRefusedTheResultOfALaunchBehindItsOwn) {
  builder::Program p("within");
  auto seen = p.out<std::int32_t>("seen", {1});
  std::optional<Executable> executable;
  std::string told;
  int calls = 0;
  p.call("again", builder::writes(seen), [&](builder::HostCallContext&) {
    if (++calls > 1) return;
    Launch next = executable->launch();
    told = refusal([&] { next.result(); });
    // Dropped here, it is not waited for.
  });
  std::vector<std::int32_t> memory(1);
  executable.emplace(compile(p.finish(), {.executor = "cpu", .overlap = Overlap::Queue}));
  executable->bind("seen", memory);

  executable->run();
  executable.reset();

  EXPECT_PRED2(contains, told, "would wait for itself");
  EXPECT_EQ(calls, 2);
}

TEST(Launch, MayBeDroppedInItsOwnCall) {
  builder::Program p("within");
  auto seen = p.out<std::int32_t>("seen", {1});
  std::atomic<bool> is_there = false;
  std::optional<Launch> launch;
  p.call("drop", builder::writes(seen), [&](builder::HostCallContext&) {
    while (!is_there) std::this_thread::yield();
    launch.reset();
  });
  std::vector<std::int32_t> memory(1);
  auto executable = std::make_optional(compile(p.finish(), {.executor = "cpu"}));
  executable->bind("seen", memory);

  launch.emplace(executable->launch());
  is_there = true;
  executable.reset();

  EXPECT_FALSE(launch.has_value());
}

TEST(Launch, ACallMayStartTheLaunchThatComesNext) {
  builder::Program p("next");
  auto seen = p.out<std::int32_t>("seen", {1});
  std::optional<Executable> executable;
  std::vector<Launch> launches;
  p.call("again", builder::writes(seen), [&](builder::HostCallContext&) {
    if (launches.empty()) launches.push_back(executable->launch());
  });
  std::vector<std::int32_t> memory(1);
  executable.emplace(compile(p.finish(), {.executor = "cpu", .overlap = Overlap::Queue}));
  executable->bind("seen", memory);

  executable->run();

  ASSERT_EQ(launches.size(), 1u);
  EXPECT_TRUE(launches[0].result().completed());
}

TEST(Launch, QueuedLaunchesRunInTheirOrder) {
  auto executable = compile(halving(), {.overlap = Overlap::Queue});
  std::vector<double> x(100, 1024.0);
  executable.bind("x", x);
  std::vector<Launch> launches;
  for (const int stop : {10'000'000, 1'000'000, 100'000, 10'000}) {
    executable.set("stop", stop);
    launches.push_back(executable.launch());
  }

  std::vector<double> squares;
  for (Launch& launch : launches) squares.push_back(launch.result().get<double>("square"));

  // Each goes on from where the one before has ended.
  EXPECT_EQ(squares, (std::vector<double>{6553600, 409600, 25600, 6400}));
}

TEST(Launch, ThreadsMayLaunchOneExecutableAtOnce) {
  auto executable = compile(halving(), {.overlap = Overlap::Queue});
  std::vector<double> x(64, 1.0);
  executable.bind("x", x);
  std::atomic<int> completed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        if (executable.launch().result().completed()) ++completed;
        if (executable.run().completed()) ++completed;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(completed, 160);
}

TEST(Launch, ManyExecutablesRunAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      auto executable = compile(halving(), {.threads = 1 + t % 3});
      for (int i = 0; i < 20; ++i) {
        std::vector<double> x(300, static_cast<double>(1 << t));
        executable.bind("x", x);
        const auto result = executable.launch().result();
        if (result.get<double>("square") <= 1 &&
            result.total_trips() == 5u + static_cast<unsigned>(t))
          ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(right, 120);
}

TEST(Launch, DestroyingTheExecutableWaits) {
  std::vector<double> x(1000, 1e100);
  {
    auto executable = compile(halving());
    executable.bind("x", x);
    const auto launch = executable.launch();
  }

  EXPECT_LT(x[0], 1);
}

TEST(Launch, OutlivesItsExecutable) {
  std::vector<double> x = {4};
  auto launch = [&] {
    auto executable = compile(halving());
    executable.bind("x", x);
    return executable.launch();
  }();

  EXPECT_EQ(launch.result().total_trips(), 2u);
}

TEST(Launch, WhatIsMissingIsToldByTheCallAndLeavesTheExecutableUsable) {
  auto executable = compile(halving());
  std::vector<double> x = {4};

  EXPECT_PRED2(contains, refusal([&] { (void)executable.launch(); }), "'x' is not bound");
  executable.bind("x", x);

  EXPECT_TRUE(executable.run().completed());
}

ir::Program calling(builder::HostWork work) {
  Program p("calling");
  auto y = p.out<double>("y", {1});
  p.call("work", writes(y), std::move(work));
  return p.finish();
}

TEST(Launch, ACallsExceptionComesWithTheResult) {
  auto executable =
      compile(calling([](HostCallContext&) { throw std::runtime_error("no paper"); }));
  std::vector<double> y(1);
  executable.bind("y", y);
  auto launch = executable.launch();

  EXPECT_THROW(launch.result(), std::runtime_error);
  EXPECT_THROW(executable.run(), std::runtime_error);
}

TEST(Launch, AFailureThatNobodyAskedForIsLogged) {
  auto executable =
      compile(calling([](HostCallContext&) { throw std::runtime_error("no paper"); }));
  std::vector<double> y(1);
  executable.bind("y", y);
  std::string logged;
  log::set_sink([&](log::Level, std::string_view line) { logged += line; });
  { const auto launch = executable.launch(); }
  log::set_sink({});

  EXPECT_PRED2(contains, logged, "no paper");
}

}  // namespace
}  // namespace gyre
