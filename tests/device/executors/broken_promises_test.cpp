/// Broken promises on a GPU, where indices run at once and in any order.
#include "gyre/executors/gpu.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

class BrokenPromises : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string reason = executors::why_no_device_graph();
    if (!reason.empty()) GTEST_SKIP() << reason;
  }

  static Executable checked(const std::string& text) {
    CompileOptions options;
    options.executor = GetParam();
    options.checked = true;
    return compile(text::parse_program("test.gyre", text), options);
  }
};

constexpr const char* scattering = R"(program p(n: size) {
  in at: i32[n]
  inout x: i32[n]
  for trip in 0..5 {
    foreach i in 0..n { scatter x[at[i]] = i32(i) }
  }
})";

TEST_P(BrokenPromises, OneCollisionAmongAMillionStoresIsFound) {
  Executable scatter = checked(scattering);
  constexpr std::int32_t n = 1'000'000;
  std::vector<std::int32_t> at(n);
  std::vector<std::int32_t> x(n);
  scatter.bind("x", std::span<std::int32_t>(x));
  for (const std::int32_t other : {1, 255, 256, 999'999}) {
    std::iota(at.begin(), at.end(), 0);
    scatter.bind("at", std::span<const std::int32_t>(at));
    EXPECT_EQ(scatter.run().status(), ir::Status::Completed);

    at[static_cast<std::size_t>(other)] = 0;
    const Result result = scatter.run();

    EXPECT_EQ(result.status(), ir::Status::Fault) << other;
    EXPECT_EQ(result.outcome().fault, ir::FaultKind::BrokenPromise);
    EXPECT_EQ(result.region(), "p/for#0/foreach#0");
    EXPECT_EQ(result.outcome().detail, "two indices meet at x[0], which one of them writes");
  }
}

TEST_P(BrokenPromises, SizesMayChangeBetweenLaunches) {
  Executable scatter = checked(scattering);
  for (const std::int32_t n : {1000, 10, 70'000, 0, 1000}) {
    std::vector<std::int32_t> at(static_cast<std::size_t>(n));
    std::iota(at.rbegin(), at.rend(), 0);
    std::vector<std::int32_t> x(static_cast<std::size_t>(n));
    scatter.bind("at", std::span<const std::int32_t>(at));
    scatter.bind("x", std::span<std::int32_t>(x));

    EXPECT_EQ(scatter.run().status(), ir::Status::Completed) << n;
  }
}

TEST_P(BrokenPromises, AReaderMeetsAWriterInWhicheverOrderTheyRun) {
  Executable sweep = checked(R"(program p(n: size) {
  in from: i32[n]
  inout x: f64[n]
  foreach i in 0..n independent { x[i] = x[i] + x[from[i]] }
})");
  constexpr std::int32_t n = 200'000;
  std::vector<double> x(n, 1.0);
  std::vector<std::int32_t> from(n);
  sweep.bind("x", std::span<double>(x));
  for (const std::int32_t reader : {0, 77, 100'000, n - 1}) {
    for (const std::int32_t writer : {3, 100'001}) {
      std::iota(from.begin(), from.end(), 0);
      from[static_cast<std::size_t>(reader)] = writer;
      sweep.bind("from", std::span<const std::int32_t>(from));

      EXPECT_EQ(sweep.run().outcome().fault, ir::FaultKind::BrokenPromise)
          << reader << " " << writer;
    }
  }
}

TEST_P(BrokenPromises, ALevelScheduleKeepsItsPromiseInEveryTrip) {
  Executable levels = checked(R"(program p(n: size) {
  inout x: i64[n]
  for level in 0..200 {
    foreach i in 0..n / 2 independent {
      scatter x[2 * i + level % 2] = x[2 * i + 1 - level % 2] + 1
    }
  }
})");
  std::vector<std::int64_t> x(100'000, 0);
  levels.bind("x", std::span<std::int64_t>(x));

  EXPECT_EQ(levels.run().status(), ir::Status::Completed);
  EXPECT_EQ(x[0], 199);
  EXPECT_EQ(x[1], 200);
}

INSTANTIATE_TEST_SUITE_P(Executors, BrokenPromises,
                         ::testing::Values("device_graph", "host_branch"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace gyre
