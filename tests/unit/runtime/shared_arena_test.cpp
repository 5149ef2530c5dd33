#include "gyre/runtime/shared_arena.hpp"

#include "airport.hpp"
#include "gyre/text/parser.hpp"
#include "support/refusal.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::contains;
using support::refusal;

// Squares x by way of a temporary, then counts to k: long launches keep the arena.
constexpr const char* squares_text = R"(program squares(n: size) {
  inout x: f64[n]
  in k: i64 = 0
  out trips: i64
  temp t: f64[n]
  foreach i in 0..n { t[i] = x[i] }
  while trips < k { trips += 1 }
  foreach i in 0..n { x[i] = t[i] * x[i] }
}
)";

constexpr std::int64_t for_ever = 1'000'000'000'000;

/// An executable with memory of its own to work on.
struct Squares {
  Squares(std::size_t n, std::shared_ptr<SharedArena> arena, Overlap overlap = Overlap::Refuse)
      : x(n, 3.0),
        executable(compile(text::parse_program("test.gyre", squares_text),
                           {.executor = "cpu", .overlap = overlap, .arena = std::move(arena)})) {
    executable.bind("x", x);
  }

  bool is_right() {
    x.assign(x.size(), 3.0);
    executable.run();
    return x == std::vector<double>(x.size(), 9.0);
  }

  std::vector<double> x;
  Executable executable;
};

TEST(SharedArena, HoldsWhatTheLargestOfItsExecutablesNeeds) {
  const auto arena = std::make_shared<SharedArena>();
  Squares large(1000, arena);
  Squares small(10, arena);
  Squares alone(1000, nullptr);
  for (Squares* one : {&large, &small, &alone}) ASSERT_TRUE(one->is_right());

  EXPECT_GE(arena->held_bytes(), 1000 * sizeof(double));
  EXPECT_LT(arena->held_bytes(), 1010 * sizeof(double) + 256);
  EXPECT_EQ(large.executable.held_bytes(), 0u);
  EXPECT_GE(alone.executable.held_bytes(), 1000 * sizeof(double));
}

TEST(SharedArena, ASmallShapeIsTheSameAfterALargeOneWasMadeAndDestroyed) {
  const auto arena = std::make_shared<SharedArena>();
  Squares small(10, arena);
  ASSERT_TRUE(small.is_right());
  const std::size_t before = arena->held_bytes();
  {
    Squares large(100'000, arena);
    EXPECT_TRUE(large.is_right());
    EXPECT_TRUE(small.is_right());
  }

  EXPECT_TRUE(small.is_right());
  EXPECT_GT(arena->held_bytes(), before);
  // Where it is bound anew it stays in what it is in.
  small.executable.bind("x", small.x);
  EXPECT_TRUE(small.is_right());
}

TEST(SharedArena, GivesBackWhatNobodyIsIn) {
  const auto arena = std::make_shared<SharedArena>();
  {
    Squares one(1000, arena);
    ASSERT_TRUE(one.is_right());
    EXPECT_GT(arena->held_bytes(), 0u);
  }

  EXPECT_EQ(arena->held_bytes(), 0u);
}

TEST(SharedArena, ALaunchBesideAnothersIsRefusedAndNamesIt) {
  const auto arena = std::make_shared<SharedArena>();
  Squares one(10, arena);
  Squares other(10, arena);
  one.executable.set("k", for_ever);
  auto running = one.executable.launch();

  const auto launching = refusal([&] { auto launch = other.executable.launch(); });
  const auto run = refusal([&] { other.executable.run(); });
  running.cancel();
  running.result();

  EXPECT_TRUE(contains(launching, "'squares' is still running in the arena that it shares"))
      << launching;
  EXPECT_EQ(launching, run);
  EXPECT_TRUE(other.is_right());
}

TEST(SharedArena, QueuedLaunchesOfAllOfThemRunOneAfterTheOther) {
  const auto arena = std::make_shared<SharedArena>();
  Squares one(500, arena, Overlap::Queue);
  Squares other(700, arena, Overlap::Queue);
  one.executable.set("k", 20'000);
  std::vector<Launch> launches;

  for (int i = 0; i < 3; ++i) {
    launches.push_back(one.executable.launch());
    launches.push_back(other.executable.launch());
  }
  for (Launch& launch : launches) ASSERT_TRUE(launch.result().completed());

  // Squared three times.
  EXPECT_EQ(one.x, std::vector<double>(500, 6561.0));
  EXPECT_EQ(other.x, std::vector<double>(700, 6561.0));
}

TEST(SharedArena, ManyThreadsTakeTurns) {
  const auto arena = std::make_shared<SharedArena>();
  std::vector<std::unique_ptr<Squares>> all;
  for (std::size_t i = 1; i <= 6; ++i) {
    all.push_back(std::make_unique<Squares>(i * 100, arena, Overlap::Queue));
  }
  std::vector<int> right(all.size());
  std::vector<std::thread> threads;

  for (std::size_t i = 0; i < all.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) right[i] += all[i]->is_right() ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(right, std::vector<int>(all.size(), 50));
}

TEST(SharedArena, OutlivesTheHandleThatItWasMadeWith) {
  auto arena = std::make_shared<SharedArena>();
  Squares one(100, arena);
  arena.reset();

  EXPECT_TRUE(one.is_right());
}

class FlownInAnArena : public Airfield {
 protected:
  Executable make(Overlap overlap = Overlap::Refuse) {
    auto executable =
        compile(halving(), {.executor = "persistent", .overlap = overlap, .arena = arena_});
    executable.bind("x", x_);
    return executable;
  }

  std::shared_ptr<SharedArena> arena_ = std::make_shared<SharedArena>();
};

TEST_F(FlownInAnArena, ADevicesLaunchesAreRefusedBesideEachOther) {
  auto one = make();
  auto other = make();
  auto first = one.launch();

  const auto message = refusal([&] { auto second = other.launch(); });
  airport_.lands = true;

  EXPECT_TRUE(contains(message, "in the arena")) << message;
  EXPECT_EQ(airport_.started, 1);
}

TEST_F(FlownInAnArena, ADevicesQueuedLaunchesAreLeftToTheDevice) {
  auto one = make(Overlap::Queue);
  auto other = make(Overlap::Queue);

  auto first = one.launch();
  auto second = other.launch();
  auto third = one.launch();
  airport_.lands = true;

  EXPECT_EQ(airport_.started, 3);
}

TEST_F(FlownInAnArena, TheHostWaitsForTheLastOfAllBeforeItTakesItsTurn) {
  auto one = make(Overlap::Queue);
  auto other = make(Overlap::Queue);
  auto first = one.launch();
  airport_.needs_host = true;

  auto second = other.launch();
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const int ran_early = airport_.ran;
  airport_.lands = true;
  second.result();

  EXPECT_EQ(ran_early, 0);
  EXPECT_EQ(airport_.ran, 1);
}

}  // namespace
}  // namespace gyre
