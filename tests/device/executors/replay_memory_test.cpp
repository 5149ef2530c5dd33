/// Memory of an executable between its launches: nobody else's, never moved under it, and given
/// back.
#include "gyre/base/log.hpp"
#include "gyre/cuda/check.hpp"
#include "gyre/runtime/input_ring.hpp"
#include "replay_test.hpp"
#include "support/refusal.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gyre {
namespace {

using support::refusal;

using ReplayMemory = ReplayTest;

std::span<double> numbers_of(ir::HostCallContext& context) {
  return {context.pointer<double>(0),
          static_cast<std::size_t>(context.arguments[0].element_count())};
}

TEST_P(ReplayMemory, SharedScratchNeverMovesUnderAnExecutable) {
  const auto arena = std::make_shared<SharedArena>();
  const auto twice = [&](std::size_t n) {
    return std::make_unique<Twice>(make(twice_program, {.arena = arena}), GetParam(), n);
  };
  const auto small = twice(10);
  EXPECT_TRUE(small->is_right());
  auto large = twice(20'000);
  EXPECT_TRUE(large->is_right());

  EXPECT_TRUE(small->is_right());
  large.reset();
  EXPECT_TRUE(small->is_right());
  const auto middle = twice(5000);
  EXPECT_TRUE(middle->is_right());
  EXPECT_TRUE(small->is_right());
  // Bound anew it may move, and does so between launches.
  const OwnMemory<double> x(GetParam(), Doubles(10, 2.0));
  bind(small->executable, "x", x);
  EXPECT_TRUE(small->is_right());
}

TEST_P(ReplayMemory, QueuedLaunchesInOneArenaRunOneAfterTheOther) {
  const auto arena = std::make_shared<SharedArena>();
  const CompileOptions options{.overlap = Overlap::Queue, .arena = arena};
  Twice small(make(twice_program, options), GetParam(), 200);
  Twice large(make(twice_program, options), GetParam(), 3000);
  ASSERT_TRUE(small.is_right() && large.is_right());
  std::vector<Launch> launches;

  for (int i = 0; i < 8; ++i) {
    launches.push_back(small.executable.launch());
    launches.push_back(large.executable.launch());
  }

  for (std::size_t i = 0; i < launches.size(); ++i) {
    EXPECT_EQ(launches[i].result().get<double>("total"), i % 2 == 0 ? 1200.0 : 18'000.0) << i;
  }
}

TEST_P(ReplayMemory, ALaunchInABusyArenaIsRefused) {
  if (!launches_take_time()) GTEST_SKIP() << "launches are over at once here";
  const auto arena = std::make_shared<SharedArena>();
  const Numbers x = numbers({1.0});
  const Numbers y = numbers({1.0});
  const Numbers z = numbers({1.0});
  Executable one = make_long(x, y, {.arena = arena});
  Executable other = make_long(x, z, {.arena = arena});
  one.run();
  one.set("k", is_quick() ? 100'000 : 3000);

  Launch first = one.launch();
  const std::string message = refusal([&] { other.run(); });
  first.cancel();
  first.result();

  EXPECT_NE(message.find("still running in the arena"), std::string::npos) << message;
  EXPECT_EQ(refusal([&] { other.run(); }), "accepted");
}

TEST_P(ReplayMemory, StagingIsNobodyElsesBetweenLaunches) {
  // A call on the host goes through staging, and so does an input that is written ahead.
  auto callee = std::make_shared<ir::Callee>();
  callee->name = "negate";
  callee->accesses = {ir::Access::ReadWrite};
  callee->placement = ir::Placement::Host;
  callee->host = [](ir::HostCallContext& context) {
    for (double& value : numbers_of(context)) value = -value;
  };
  const auto negating = [&] {
    return make(R"(program negating(n: size) {
  in x: f64[n]
  out y: f64[n]
  copy y = x
  call negate(y)
}
)",
                {}, {{"negate", callee}});
  };
  Executable one = negating();
  Executable other = negating();
  const Numbers y = numbers(Doubles(100));
  const Numbers z = numbers(Doubles(10'000));
  bind(one, "y", y);
  bind(other, "y", z);
  InputRing x(one, "x", {100});
  InputRing w(other, "x", {10'000});

  x.write(Doubles(100, 1.0));
  w.write(Doubles(10'000, 2.0));
  one.run();
  w.write(Doubles(10'000, 3.0));
  other.run();
  one.run();

  EXPECT_EQ(y.read(), Doubles(100, -1.0));
  EXPECT_EQ(z.read(), Doubles(10'000, -3.0));
}

TEST_P(ReplayMemory, WhatAProgramWasMadeOfMayBeGone) {
  std::optional<Executable> scaling;
  {
    const auto factor = std::make_shared<double>(3.0);
    auto callee = std::make_shared<ir::Callee>();
    callee->name = std::string("scale_by_a_captured_factor");
    callee->accesses = {ir::Access::ReadWrite};
    callee->placement = ir::Placement::Host;
    callee->host = [factor](ir::HostCallContext& context) {
      for (double& value : numbers_of(context)) value *= *factor;
    };
    const text::CallRegistry calls = {{callee->name, callee}};
    scaling.emplace(
        make("program scaling(n: size) {\n  inout x: f64[n]\n"
             "  call scale_by_a_captured_factor(x)\n}\n",
             {}, calls));
  }
  const Numbers x = numbers({1.0, 2.0});
  bind(*scaling, "x", x);

  scaling->run();
  scaling->run();

  EXPECT_EQ(x.read(), (Doubles{9.0, 18.0}));
}

TEST_P(ReplayMemory, OtherWorkMayAllocateBetweenReplays) {
  Twice twice(make(twice_program), GetParam(), 1000);
  std::vector<Numbers> others;

  for (std::size_t i = 0; i < 60; ++i) {
    ASSERT_TRUE(twice.is_right()) << i;
    others.push_back(numbers(Doubles(10 + i * 97, -1.0)));
    if (i % 3 == 2) others.erase(others.begin());
  }
}

TEST_P(ReplayMemory, AGraphThatCannotBeUpdatedIsMadeAnewAfterManyLaunches) {
  Executable thrice = make(R"(program thrice(n: size) {
  in x: f64[n]
  out y: f64[n], total: f64
  copy y = x
  foreach i in 0..n { y[i] = 3.0 * y[i] }
  total = sum(i in 0..n) y[i]
}
)");
  const auto launch_with = [&](std::size_t n, int times) {
    const Numbers x = numbers(Doubles(n, 2.0));
    const Numbers y = numbers(Doubles(n));
    bind(thrice, "x", x);
    bind(thrice, "y", y);
    for (int i = 0; i < times; ++i) {
      if (thrice.run().get<double>("total") != 6.0 * static_cast<double>(n)) return false;
    }
    return true;
  };

  std::atomic<int> made_anew = 0;
  log::set_level(log::Level::Info);
  log::set_sink([&](log::Level, std::string_view line) {
    if (line.find("instantiated again") != std::string_view::npos) ++made_anew;
  });

  EXPECT_TRUE(launch_with(100, is_quick() ? 5000 : 100));
  EXPECT_EQ(made_anew, 0);
  // A copy goes, and comes again.
  EXPECT_TRUE(launch_with(0, 3));
  EXPECT_TRUE(launch_with(100, 3));
  log::set_sink({});
  log::set_level(log::Level::Warn);

  // A line for each change; the GPU that is the host refuses every update.
  const bool has_graph = has_gpu() && std::string(GetParam()) != "host_branch";
  if (!is_quick() && has_graph) {
    EXPECT_EQ(made_anew, 2);
  }
  EXPECT_LE(made_anew, 2);
}

TEST_P(ReplayMemory, ManyCompilesKeepItFlat) {
  if (!has_gpu()) GTEST_SKIP() << "no memory of a device";
  const auto arena = std::make_shared<SharedArena>();
  const auto once = [&](bool shares) {
    Executable square = make(twice_program, {.arena = shares ? arena : nullptr});
    const Numbers y = numbers(Doubles(100));
    bind(square, "y", y);
    InputRing x(square, "x", {100});
    x.write(Doubles(100, 2.0));
    EXPECT_TRUE(square.run().completed());
  };
  for (int i = 0; i < (is_quick() ? 100 : 4); ++i) once(i % 2 == 0);
  const std::size_t before = cuda::memory_info().free_bytes;

  for (int i = 0; i < (is_quick() ? 1000 : 20); ++i) once(i % 2 == 0);

  // A driver keeps some of what it was given back; the GPU that is the host keeps nothing.
  const std::size_t kept = is_quick() ? 4U << 20 : 0;
  EXPECT_GE(cuda::memory_info().free_bytes + kept, before);
}

TEST_P(ReplayMemory, CompilingGoesOnBesideAThreadThatSynchronises) {
  std::atomic<bool> stop = false;
  std::atomic<int> launched = 0;
  Twice twice(make(twice_program, {}), GetParam(), 1000);
  std::thread beside([&] {
    std::optional<cuda::Context> context;
    std::optional<cuda::CurrentContext> current;
    if (has_gpu()) {
      context.emplace();
      current.emplace(*context);
    }
    while (!stop) {
      if (twice.is_right()) ++launched;
      if (has_gpu()) cuda::check(cuda::driver()->cuCtxSynchronize(), "cuCtxSynchronize");
    }
  });

  int right = 0;
  std::unique_ptr<Twice> kept;
  for (std::size_t i = 0; i < 100; ++i) {
    // The one before is destroyed while this one is there.
    auto next = std::make_unique<Twice>(make(twice_program), GetParam(), 100 + i);
    if (next->is_right()) ++right;
    kept = std::move(next);
  }
  stop = true;
  beside.join();

  EXPECT_EQ(right, 100);
  EXPECT_GT(launched, 0);
}

INSTANTIATE_TEST_SUITE_P(Executors, ReplayMemory, every_executor, executor_name);

}  // namespace
}  // namespace gyre
