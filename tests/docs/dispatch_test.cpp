// The C++ of docs/dispatch.md compiles, and does what the page says.
#include <gyre/dispatch/break_even.hpp>
#include <gyre/dispatch/dispatcher.hpp>
#include <gyre/dispatch/plan_buckets.hpp>
#include <gyre/dispatch/shape_cache.hpp>
#include <gyre/gyre.hpp>

#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace {

using namespace gyre;
using namespace gyre::dispatch;

ir::Program sums() {
  return parse_program("sums.gyre", R"(program sums(n: size) {
    in live: i64, x: f64[n]
    out total: f64
    temp y: f64[n]
    foreach i in 0..n { if i < live { y[i] = 2 * x[i] } }
    total = sum(i in 0..n) y[i]
  })");
}

TEST(DispatchPage, BreaksEvenAfter300Runs) {
  const auto runs = break_even({.capture = 600, .eager = 12, .replay = 10});

  EXPECT_EQ(runs, 300);
}

TEST(DispatchPage, BucketsPadAsItSays) {
  const std::vector<std::int64_t> requests = {1, 3, 5, 8};

  const Padding powers = padding_of(Buckets({1, 2, 4, 8}), requests);
  const Padding with_five = padding_of(Buckets({1, 2, 4, 5, 8}), requests);

  EXPECT_EQ(powers.slots, 21);
  EXPECT_NEAR(powers.share(), 0.190, 5e-4);
  EXPECT_EQ(with_five.slots, 18);
  EXPECT_NEAR(with_five.share(), 0.056, 5e-4);
}

TEST(DispatchPage, ADispatcherServesFromPlannedBuckets) {
  const auto program = sums();
  const Histogram requests = {{4, 1000}, {8, 1000}};
  const SizeCosts costs = {.capture = [](auto) { return 600.0; },
                           .replay = [](auto) { return 10.0; },
                           .eager = [](auto) { return 30.0; },
                           .bytes = [](auto) { return std::size_t{4096}; }};
  const std::size_t memory = 1 << 20, budget = 1 << 20;
  const auto worth_after = [](const Shape&) { return std::int64_t{0}; };
  std::vector<double> x(8, 1.0);
  const std::int64_t live = 3;

  const BucketPlan plan = plan_buckets(requests, costs, memory);
  Dispatcher decode(program, {.rows = "n",
                              .live = "live",
                              .buckets = plan.sizes(),
                              .limits = {.bytes = budget, .worth_after = worth_after}});
  const auto answer = decode.run(
      live, [&](Executable& executable, std::int64_t rows) { executable.bind("x", x, {rows}); });

  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->result.get<double>("total"), 6.0);
}

TEST(DispatchPage, ACacheKeepsExecutables) {
  const std::size_t budget = 1 << 20;
  const auto worth_after = [](const Shape&) { return std::int64_t{0}; };
  const std::int64_t bucket = 8, length = 128;

  ShapeCache<Executable> cache({.bytes = budget, .worth_after = worth_after});
  const auto executable = cache.find_or_make({"decode", "fast", {bucket, length}}, [&] {
    auto made = std::make_shared<Executable>(compile(sums()));
    const std::size_t bytes = made->held_bytes();
    return ShapeCache<Executable>::Made{std::move(made), bytes};
  });

  ASSERT_TRUE(executable);
  EXPECT_EQ(cache.counts().made, 1u);
}

TEST(DispatchPage, ExecutablesShareAnArena) {
  const auto first = sums(), second = sums();

  const auto arena = std::make_shared<gyre::SharedArena>();
  auto prefill = gyre::compile(first, {.arena = arena});
  auto decode = gyre::compile(second, {.arena = arena});
  std::vector<double> x(4, 1.0);
  for (gyre::Executable* executable : {&prefill, &decode}) {
    executable->bind("x", x);
    executable->set("live", std::int64_t{4});
  }

  EXPECT_EQ(prefill.run().get<double>("total"), 8.0);
  EXPECT_EQ(decode.run().get<double>("total"), 8.0);
}

}  // namespace
