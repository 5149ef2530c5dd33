#include "gyre/dispatch/dispatcher.hpp"

#include "gyre/base/error.hpp"
#include "gyre/text/parser.hpp"
#include "support/random.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::dispatch {
namespace {

using testing::HasSubstr;

// Keeps a running sum for each row, and counts its launches; padding is left alone.
constexpr const char* program = R"(program accumulate(n: size) {
  in    x: f64[n], live: i64
  inout sums: f64[n]
  out   touched: i64
  temp  twice: f64[n]
  foreach i in 0..n {
    twice[i] = 2.0 * x[i]
    if i < live { sums[i] += twice[i] }
  }
  touched = count(i in 0..n) (i < live)
}
)";

ir::Program accumulate() {
  return text::parse_program("test.gyre", program);
}

DispatchOptions options_with(std::vector<std::int64_t> buckets) {
  return {.buckets = Buckets(std::move(buckets)), .compile = {.executor = "cpu"}};
}

// A server's state: more rows than any request has.
struct State {
  std::vector<double> x = std::vector<double>(64, 1.5);
  std::vector<double> sums = std::vector<double>(64, 0.0);

  Dispatcher::Bind bind() {
    return [this](Executable& executable, std::int64_t rows) {
      const auto count = static_cast<std::size_t>(rows);
      executable.bind("x", std::span(x).first(count));
      executable.bind("sums", std::span(sums).first(count));
    };
  }
};

TEST(Dispatcher, ChangesLiveRowsOnlyAtTheEdgesOfEachBucket) {
  Dispatcher dispatcher(accumulate(), options_with({1, 2, 4, 8}));
  for (const std::int64_t live : {1, 2, 3, 4, 5, 7, 8, 9, 20}) {
    State state;

    const auto answer = dispatcher.run(live, state.bind());

    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->result.get<std::int64_t>("touched"), live);
    EXPECT_EQ(answer->eager, live > 8);
    for (std::size_t row = 0; row < state.sums.size(); ++row) {
      EXPECT_EQ(state.sums[row], row < static_cast<std::size_t>(live) ? 3.0 : 0.0)
          << live << " live rows, row " << row;
    }
  }
}

TEST(Dispatcher, ARequestOfNoRowsRunsNowhere) {
  Dispatcher dispatcher(accumulate(), options_with({4}));
  State state;

  EXPECT_EQ(dispatcher.run(0, state.bind()), std::nullopt);

  EXPECT_EQ(state.sums, std::vector<double>(64, 0.0));
  EXPECT_EQ(dispatcher.counts(), CacheCounts());
}

TEST(Dispatcher, MakesEachBucketOnceAndHitsItAfterwards) {
  Dispatcher dispatcher(accumulate(), options_with({2, 4, 8}));
  State state;

  // Makes 4; hits 4; makes 8; eager; makes 2; hits 8, 4, 2.
  for (const std::int64_t live : {3, 4, 5, 9, 1, 8, 3, 2}) dispatcher.run(live, state.bind());

  const CacheCounts counts = dispatcher.counts();
  EXPECT_EQ(counts.made, 3u);
  EXPECT_EQ(counts.hits, 4u);
  EXPECT_EQ(counts.things, 3u);
  // The temporaries of 2, 4 and 8 rows, each rounded up to what an arena is made of.
  EXPECT_GE(counts.bytes, 14 * sizeof(double));
}

TEST(Dispatcher, ARareBucketRunsEagerlyUntilItPays) {
  DispatchOptions options = options_with({4});
  options.limits.worth_after = [](const Shape&) { return 2; };
  Dispatcher dispatcher(accumulate(), std::move(options));
  State state;
  std::vector<std::pair<std::int64_t, bool>> ran;

  for (int request = 0; request < 4; ++request) {
    const auto answer = dispatcher.run(3, state.bind());
    ran.emplace_back(answer->rows, answer->eager);
  }

  EXPECT_EQ(ran, (std::vector<std::pair<std::int64_t, bool>>{
                     {3, true}, {3, true}, {4, false}, {4, false}}));
  EXPECT_EQ(state.sums[2], 12.0);
}

TEST(Dispatcher, RefusesWhatItCannotBindTo) {
  const auto complaint = [](DispatchOptions options) -> std::string {
    try {
      const Dispatcher dispatcher(accumulate(), std::move(options));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "nothing";
  };

  EXPECT_THAT(complaint({.rows = "m"}), HasSubstr("has nothing named 'm'"));
  EXPECT_THAT(complaint({.rows = "x"}), HasSubstr("'x' of program 'accumulate' is no size"));
  EXPECT_THAT(complaint({.live = "touched"}), HasSubstr("is no 'in' scalar"));
  EXPECT_THAT(complaint({.eager_executor = "gpu"}), HasSubstr("no executor 'gpu'"));
  Dispatcher dispatcher(accumulate(), options_with({4}));
  EXPECT_THROW(dispatcher.run(-1, State().bind()), UsageError);
}

TEST(Dispatcher, WhatBindingThrowsComesThroughAndIsForgotten) {
  Dispatcher dispatcher(accumulate(), options_with({4}));
  State state;

  EXPECT_THROW(dispatcher.run(3, [](Executable&, std::int64_t) { throw std::out_of_range(""); }),
               std::out_of_range);

  EXPECT_FALSE(dispatcher.run(3, state.bind())->eager);
}

TEST(Dispatcher, ManyThreadsUnderATightBudgetGetTheirOwnAnswers) {
  DispatchOptions options = options_with({1, 2, 4, 8, 16, 32});
  // Room for some of the buckets.
  options.limits.bytes = 600;
  options.compile.threads = 1;
  Dispatcher dispatcher(accumulate(), std::move(options));
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;

  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    threads.emplace_back([&, seed] {
      support::Random random(seed);
      for (int request = 0; request < 60; ++request) {
        const std::int64_t live = random.between(1, 40);
        State state;
        const auto answer = dispatcher.run(live, state.bind());
        double sum = 0;
        for (const double one : state.sums) sum += one;
        const bool right = answer && answer->result.get<std::int64_t>("touched") == live &&
                           sum == 3.0 * static_cast<double>(live);
        if (!right) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(wrong, 0);
  EXPECT_LE(dispatcher.counts().bytes, 600u);
}

}  // namespace
}  // namespace gyre::dispatch
