#include "gyre/runtime/input_ring.hpp"

#include "airport.hpp"
#include "gyre/builder/program.hpp"
#include "gyre/text/parser.hpp"
#include "support/refusal.hpp"

#include <atomic>
#include <cstdint>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::contains;
using support::refusal;

// Adds up x after k trips of nothing, so that it is read late.
constexpr const char* late_text = R"(program late(n: size) {
  in x: f64[n]
  in k: i64 = 0
  out trips: i64, total: f64
  while trips < k { trips += 1 }
  total = sum(i in 0..n) x[i]
}
)";

Executable make(Overlap overlap = Overlap::Refuse) {
  return compile(text::parse_program("test.gyre", late_text),
                 {.executor = "cpu", .overlap = overlap});
}

std::vector<double> all(double value) {
  return std::vector<double>(100, value);
}

TEST(InputRing, LaunchesReadWhatWasWrittenLast) {
  Executable late = make();
  InputRing x(late, "x", {100});

  for (const double value : {1.0, 2.0, 3.0}) {
    x.write(all(value));
    EXPECT_EQ(late.run().get<double>("total"), 100 * value);
    EXPECT_EQ(late.run().get<double>("total"), 100 * value);
  }
}

TEST(InputRing, AWriteIsNotSeenByTheLaunchUnderWay) {
  Executable late = make();
  InputRing x(late, "x", {100});
  late.set("k", std::int64_t{1'000'000'000'000});
  x.write(all(1.0));
  auto launch = late.launch();

  // Goes to the other place at once.
  x.write(all(2.0));
  EXPECT_FALSE(launch.ready());
  launch.cancel();
  launch.result();

  late.set("k", 0);
  EXPECT_EQ(late.run().get<double>("total"), 200.0);
}

TEST(InputRing, AWriteWaitsForTheLaunchThatReadsItsPlace) {
  Executable late = make(Overlap::Queue);
  InputRing x(late, "x", {100});
  late.set("k", std::int64_t{1'000'000'000'000});
  x.write(all(1.0));
  auto launch = late.launch();
  x.write(all(2.0));
  std::atomic<bool> written = false;

  std::thread writer([&] {
    x.write(all(3.0));
    written = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const bool written_early = written;
  launch.cancel();
  writer.join();

  EXPECT_FALSE(written_early);
  late.set("k", 0);
  EXPECT_EQ(late.run().get<double>("total"), 300.0);
}

TEST(InputRing, AWriteThatWouldWaitForTheLaunchItIsWithinIsRefused) {
  builder::Program p("within");
  const auto n = p.size("n");
  const auto x = p.in<double>("x", {n});
  auto seen = p.out<double>("seen", {1});
  std::optional<InputRing> ring;
  std::vector<std::string> told;
  p.call("writes", builder::reads(x), builder::writes(seen), [&](builder::HostCallContext&) {
    for (int i = 0; i < 2; ++i) told.push_back(refusal([&] { ring->write(all(2.0)); }));
  });
  std::vector<double> memory(1);
  Executable within = compile(p.finish(), {.executor = "cpu", .overlap = Overlap::Queue});
  within.bind("seen", memory);
  ring.emplace(within, "x", std::vector<std::int64_t>{100}, 2);
  ring->write(all(1.0));

  within.run();

  ASSERT_EQ(told.size(), 2u);
  EXPECT_EQ(told[0], "accepted");
  EXPECT_PRED2(contains, told[1], "would wait for itself");
}

TEST(InputRing, QueuedLaunchesEachReadTheirOwn) {
  Executable late = make(Overlap::Queue);
  InputRing x(late, "x", {100}, 3);
  late.set("k", 1000);
  std::vector<Launch> launches;

  for (int i = 0; i < 40; ++i) {
    x.write(all(i));
    launches.push_back(late.launch());
  }

  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(launches[static_cast<std::size_t>(i)].result().get<double>("total"), 100.0 * i);
  }
}

TEST(InputRing, IsFilledWithoutACopy) {
  Executable late = make();
  InputRing x(late, "x", {100});

  x.fill<double>([](std::span<double> values) { std::iota(values.begin(), values.end(), 0.0); });

  EXPECT_EQ(late.run().get<double>("total"), 4950.0);
}

TEST(InputRing, WhatFillingThrowsComesThroughAndTheLastValuesStay) {
  Executable late = make();
  InputRing x(late, "x", {100});
  x.write(all(1.0));

  EXPECT_THROW(x.fill<double>([](std::span<double> values) {
    values[0] = 99;
    throw std::runtime_error("no more input");
  }),
               std::runtime_error);

  EXPECT_EQ(late.run().get<double>("total"), 100.0);
  x.write(all(2.0));
  EXPECT_EQ(late.run().get<double>("total"), 200.0);
}

TEST(InputRing, BindingOtherMemoryEndsItsPartUntilTheNextWrite) {
  Executable late = make();
  InputRing x(late, "x", {100});
  const auto fives = all(5.0);
  x.write(all(1.0));

  late.bind("x", fives);
  EXPECT_EQ(late.run().get<double>("total"), 500.0);
  x.write(all(2.0));

  EXPECT_EQ(late.run().get<double>("total"), 200.0);
}

TEST(InputRing, WhatALaunchReadsOutlivesTheRing) {
  Executable late = make();
  {
    InputRing x(late, "x", {100});
    x.write(all(4.0));
  }

  EXPECT_EQ(late.run().get<double>("total"), 400.0);
}

TEST(InputRing, RefusesWhatCannotBeWrittenAhead) {
  Executable late = make();
  InputRing x(late, "x", {100});

  EXPECT_TRUE(contains(refusal([&] { InputRing(late, "y", {100}); }), "no buffer 'y'"));
  EXPECT_TRUE(contains(refusal([&] { InputRing(late, "x", {10, 10}); }), "has rank 1"));
  EXPECT_TRUE(contains(refusal([&] { InputRing(late, "x", {100}, 1); }), "has 2 to 4096 places"));
  EXPECT_TRUE(contains(refusal([&] { InputRing(late, "x", {0}, SIZE_MAX); }),
                       "places, not 18446744073709551615"));
  EXPECT_TRUE(contains(refusal([&] { InputRing(late, "x", {-1}); }), "negative extent"));
  EXPECT_TRUE(contains(refusal([&] { x.write(std::vector<float>(100)); }), "is of f64"));
  EXPECT_TRUE(contains(refusal([&] { x.write(std::vector<double>(99)); }), "99 elements"));
  Executable writes = compile(halving(), {.executor = "cpu"});
  EXPECT_TRUE(contains(refusal([&] { InputRing(writes, "x", {100}); }), "is written"));
}

TEST(InputRing, AWriteWithoutItsExecutableIsRefused) {
  std::optional<Executable> late(make());
  InputRing x(*late, "x", {100});
  late.reset();

  EXPECT_TRUE(contains(refusal([&] { x.write(all(1.0)); }), "is gone"));
}

class FlownFromARing : public Airfield {
 protected:
  Executable make(Overlap overlap = Overlap::Refuse) {
    return compile(text::parse_program("test.gyre", late_text),
                   {.executor = "persistent", .overlap = overlap});
  }
};

TEST_F(FlownFromARing, ADeviceIsToldWhatItsRunsAreOrderedWithAndTheHostWaitsForNone) {
  auto executable = make(Overlap::Queue);
  InputRing x(executable, "x", {100});
  std::vector<Launch> launches;

  for (int i = 0; i < 5; ++i) {
    x.write(all(i));
    launches.push_back(executable.launch());
  }
  const auto none = all(0);
  executable.bind("x", none);
  launches.push_back(executable.launch());
  airport_.lands = true;

  EXPECT_EQ(airport_.ordered, (std::vector<std::size_t>{1, 1, 1, 1, 1, 0}));
}

TEST_F(FlownFromARing, ACaptureCannotReadIt) {
  airport_.captures = true;
  auto executable = make();
  InputRing x(executable, "x", {100});
  x.write(all(1));

  const auto message = refusal([&] { auto launch = executable.launch(&stream_); });

  EXPECT_TRUE(contains(message, "cannot know of replays")) << message;
  EXPECT_EQ(airport_.joined, 0);
}

}  // namespace
}  // namespace gyre
