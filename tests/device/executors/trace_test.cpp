/// Traces of runs on a GPU: the trips that the cpu executor sees, in their order, with times of the
/// device.
#include "gyre/runtime/trace.hpp"

#include "device_vector.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

// Loops within loops, entered now and then, left by a jump, and one that never runs.
constexpr const char* busy_program = R"(program busy(n: size) {
  inout x: f64[n]
  in    rounds: i32
  out   total: f64, steps: i32
  for round in 0..rounds {
    var left: i32 = round % 3
    while left > 0 {
      foreach i in 0..n { x[i] = 0.5 * x[i] + f64(left) }
      left -= 1
    }
    if round % 2 == 0 {
      do {
        steps += 1
        if steps % 5 == 4 { break }
      } while steps % 3 != 0
    }
    while false { steps += 100 }
  }
  total = sum(i in 0..n) x[i]
}
)";

using Trips = std::vector<std::pair<std::string, std::uint64_t>>;

Trips trips_of(const Trace& trace) {
  Trips trips;
  for (const Trace::Event& event : trace.events()) trips.emplace_back(event.region, event.trip);
  return trips;
}

class DeviceTrace : public DeviceGraphTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    DeviceGraphTest::SetUp();
    const bool is_there =
        std::string_view(GetParam()) != "persistent" || executors::why_no_persistent().empty();
    if (!IsSkipped() && !is_there) GTEST_SKIP() << executors::why_no_persistent();
  }

  static Executable made_for(const char* executor, int rounds) {
    Executable busy =
        compile(text::parse_program("test.gyre", busy_program), {.executor = executor});
    busy.set("rounds", rounds);
    return busy;
  }
};

TEST_P(DeviceTrace, HasTheTripsThatTheCpuSees) {
  std::vector<double> on_cpu(100, 1.0);
  std::vector<double> on_gpu(100, 1.0);
  Executable expected = made_for("cpu", 7);
  Executable actual = made_for(GetParam(), 7);
  expected.bind("x", on_cpu);
  actual.bind("x", on_gpu);
  Trace seen;
  Trace kept;

  expected.run(&seen);
  const Result result = actual.run(&kept);

  EXPECT_EQ(trips_of(kept), trips_of(seen));
  EXPECT_EQ(kept.events().size(), result.total_trips());
  EXPECT_EQ(kept.dropped(), 0u);
  EXPECT_EQ(on_gpu, on_cpu);
}

TEST_P(DeviceTrace, TellsTimesInTheirOrder) {
  Executable busy = made_for(GetParam(), 7);
  std::vector<double> x(100, 1.0);
  busy.bind("x", x);
  Trace trace;

  busy.run(&trace);

  std::chrono::nanoseconds last{0};
  for (const Trace::Event& event : trace.events()) {
    EXPECT_GE(event.at, last);
    last = event.at;
  }
}

TEST_P(DeviceTrace, BeginsAnewWithEachLaunchAndStandsBesideUntracedOnes) {
  Executable busy = made_for(GetParam(), 2);
  std::vector<double> x(100, 1.0);
  busy.bind("x", x);
  Trace trace;
  busy.run(&trace);
  const Trips once = trips_of(trace);

  const Result untraced = busy.run();
  busy.run(&trace);

  EXPECT_EQ(trips_of(trace), once);
  EXPECT_EQ(untraced.total_trips(), once.size());
}

TEST_P(DeviceTrace, KeepsOnlyAsManyAsItHasRoomFor) {
  Executable busy = made_for(GetParam(), 7);
  std::vector<double> x(100, 1.0);
  busy.bind("x", x);
  Trace trace(4);

  const Result result = busy.run(&trace);

  EXPECT_EQ(trace.events().size(), 4u);
  EXPECT_EQ(trace.dropped(), result.total_trips() - 4);
}

INSTANTIATE_TEST_SUITE_P(Executors, DeviceTrace,
                         ::testing::Values("device_graph", "host_branch", "persistent"),
                         [](const auto& executor) { return std::string(executor.param); });

}  // namespace
}  // namespace gyre
