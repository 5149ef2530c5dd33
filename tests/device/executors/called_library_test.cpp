/// Sorts and scans as calls where the host stands in for the GPU and its memory for the GPU's: a
/// library's work is then done by the host. What gyre::cub does on a GPU is tested with the calls.
#include "gyre/executors/gpu.hpp"
#include "gyre/gyre.hpp"
#include "support/host_library.hpp"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre {
namespace {

constexpr const char* order_and_sum = R"(program order_and_sum(n: size) {
  in x: f32[n], k: i32[n], part: i64, trips: i32
  inout y: f32[n], at: i32[n], s: i32[n], z: i32[n]
  var many: i64
  many = part
  sort(i in 0..n) y, at = x[i], i32(i) descending
  scan(i in 0..n) s = sum k[i] exclusive
  for t in 0..trips { sort(i in 0..many) z = k[i] ^ t }
}
)";

struct Lists {
  std::vector<float> x;
  std::vector<std::int32_t> k;
  std::vector<float> y;
  std::vector<std::int32_t> at;
  std::vector<std::int32_t> s;
  std::vector<std::int32_t> z;

  explicit Lists(std::size_t n) : x(n), k(n), y(n), at(n), s(n), z(n, -7) {
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i * 7919 % 101) - 50.0F;
      k[i] = static_cast<std::int32_t>(i * 104'729 % 211) - 100;
    }
    if (n > 20) x[10] = -0.0F;
    if (n > 20) x[20] = 0.0F;
  }

  void run(Executable& executable) {
    executable.bind("x", x);
    executable.bind("k", k);
    executable.bind("y", y);
    executable.bind("at", at);
    executable.bind("s", s);
    executable.bind("z", z);
    executable.set("part", static_cast<std::int64_t>(x.size() * 3 / 4));
    executable.set("trips", 2);
    EXPECT_TRUE(executable.run().completed());
  }
};

Executable compile_for(const std::string& executor,
                       std::shared_ptr<const ir::PrimitiveLibrary> library) {
  CompileOptions options;
  options.executor = executor;
  options.library = std::move(library);
  return compile(parse_program("test.gyre", order_and_sum), options);
}

class CalledLibrary : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto reason = executors::why_no_host_branch(); !reason.empty())
      GTEST_SKIP() << reason;
    if (std::getenv("GYRE_EMULATED_SOURCES") == nullptr) {
      GTEST_SKIP() << "the memory of this GPU is not the host's";
    }
  }
};

TEST_F(CalledLibrary, HasTheBitsOfLoops) {
  Executable by_loops = compile_for("cpu", nullptr);
  for (const std::int64_t least : {0, 256}) {
    Executable by_calls = compile_for(
        "host_branch", std::make_shared<const ir::PrimitiveLibrary>(support::host_library(
                           {.least_sort = least, .least_scan = least, .most_places_a_value = 2})));
    for (const std::size_t n : {0U, 1U, 255U, 256U, 257U, 600U}) {
      Lists expected(n);
      Lists actual(n);

      expected.run(by_loops);
      actual.run(by_calls);

      EXPECT_EQ(actual.y, expected.y) << n << " values, calls from " << least;
      EXPECT_EQ(actual.at, expected.at) << n << " values, calls from " << least;
      EXPECT_EQ(actual.s, expected.s) << n << " values, calls from " << least;
      EXPECT_EQ(actual.z, expected.z) << n << " values, calls from " << least;
    }
  }
}

}  // namespace
}  // namespace gyre
