/// Buffers that stay where a program runs, and looks into them.
#include "airport.hpp"
#include "gyre/builder/program.hpp"
#include "gyre/runtime/executable.hpp"
#include "support/refusal.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

using support::refusal;

// log[k] = k + 1 for the trips k of a loop, and total[0] their number.
Executable counting(std::int64_t trips, const char* executor = "cpu") {
  builder::Program p("counting");
  const auto limit = p.in<std::int64_t>("limit", trips);
  const auto places = p.size("places");
  const auto log = p.out<std::int64_t>("log", {places});
  const auto total = p.out<std::int64_t>("total", {1});
  const auto k = p.var<std::int64_t>("k", 0);
  p.while_(k < limit, [&] {
    log[k % places] = k + 1;
    k += 1;
  });
  total[0] = k;
  return compile(p.finish(), {.executor = executor});
}

TEST(KeptBuffers, AreReadByPeeking) {
  auto executable = counting(5);
  std::vector<std::int64_t> total(1);
  executable.bind("total", total);
  executable.keep("log", {4});
  std::array<std::int64_t, 4> log = {-1, -1, -1, -1};

  executable.peek("log", 0, log);
  EXPECT_EQ(log, (std::array<std::int64_t, 4>{0, 0, 0, 0}));
  executable.run();
  executable.peek("log", 0, log);
  EXPECT_EQ(log, (std::array<std::int64_t, 4>{5, 2, 3, 4}));
  executable.peek("log", 2, std::span(log).first(2));

  EXPECT_EQ(log, (std::array<std::int64_t, 4>{3, 4, 3, 4}));
  EXPECT_EQ(total[0], 5);
}

TEST(KeptBuffers, ShowWhatALaunchUnderWayHasWritten) {
  auto executable = counting(std::int64_t{1} << 40);
  std::vector<std::int64_t> total(1);
  executable.bind("total", total);
  executable.keep("log", {1});
  auto launch = executable.launch();
  std::array<std::int64_t, 1> seen = {0};

  while (seen[0] < 1000) executable.peek("log", 0, seen);
  launch.cancel();

  EXPECT_EQ(launch.result().status(), ir::Status::Cancelled);
}

using KeptOnADevice = Airfield;

// What it has until then is of another size, or of what was kept before.
TEST_F(KeptOnADevice, AreTheDevicesOnceItHasBeenGivenThem) {
  auto executable = counting(5, "persistent");
  std::vector<std::int64_t> total(1);
  executable.bind("total", total);
  airport_.lands = true;
  constexpr std::int64_t ones = 0x0101'0101'0101'0101;
  const auto look = [&](std::int64_t places) {
    std::vector<std::int64_t> seen(static_cast<std::size_t>(places), -1);
    executable.peek("log", 0, seen);
    return seen;
  };

  for (const std::int64_t places : {2, 3, 1}) {
    executable.keep("log", {places});
    EXPECT_EQ(look(places), std::vector<std::int64_t>(static_cast<std::size_t>(places), 0));
    executable.run();
    EXPECT_EQ(look(places), std::vector<std::int64_t>(static_cast<std::size_t>(places), ones));
  }
}

TEST(KeptBuffers, StayWhereKeepingThemOtherwiseIsRefused) {
  auto executable = counting(5);
  std::vector<std::int64_t> total(1);
  executable.bind("total", total);
  executable.keep("log", {4});

  EXPECT_EQ(refusal([&] {
              executable.keep("log", {2, 2});
            }),
            "buffer 'log' has rank 1, but 2 extents were given");
  executable.run();
  std::array<std::int64_t, 4> log = {};
  executable.peek("log", 0, log);
  EXPECT_EQ(log, (std::array<std::int64_t, 4>{5, 2, 3, 4}));
}

TEST(KeptBuffers, AreNoLongerKeptOnceOtherMemoryIsBound) {
  auto executable = counting(3);
  std::vector<std::int64_t> total(1);
  std::vector<std::int64_t> log(3);
  executable.bind("total", total);
  executable.keep("log", {3});
  executable.run();

  executable.bind("log", log);
  EXPECT_EQ(refusal([&] { executable.peek("log", 0, log); }), "'log' is no buffer that is kept");
  executable.run();

  EXPECT_EQ(log, (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(KeptBuffers, SayWhatCannotBeKeptOrPeekedAt) {
  auto executable = counting(5);
  std::vector<std::int64_t> two(2);
  std::vector<double> other(1);

  EXPECT_EQ(refusal([&] { executable.keep("limit", {1}); }),
            "'limit' is no buffer of this program that is 'out', and only those can be kept");
  EXPECT_EQ(refusal([&] { executable.keep("log", {-1}); }),
            "buffer 'log' cannot be kept with a negative extent");
  EXPECT_EQ(refusal([&] { executable.keep("log", {std::int64_t{1} << 61}); }),
            "buffer 'log' cannot be kept: i64[2305843009213693952] has more than 2^63 bytes");
  EXPECT_EQ(refusal([&] { executable.peek("log", 0, two); }), "'log' is no buffer that is kept");
  executable.keep("log", {2});
  EXPECT_EQ(refusal([&] { executable.peek("log", 1, two); }),
            "buffer 'log' has 2 elements, and 2 from number 1 on are asked for");
  EXPECT_EQ(refusal([&] { executable.peek("log", -1, two); }),
            "buffer 'log' has 2 elements, and 2 from number -1 on are asked for");
  EXPECT_EQ(refusal([&] { executable.peek("log", 0, other); }),
            "buffer 'log' is of i64, and elements of f64 are asked for");
}

}  // namespace
}  // namespace gyre
