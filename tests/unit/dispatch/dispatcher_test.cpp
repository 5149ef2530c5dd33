#include "gyre/dispatch/dispatcher.hpp"

#include "gyre/base/error.hpp"
#include "gyre/text/parser.hpp"
#include "unit/dispatch/accumulate.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::dispatch {
namespace {

using testing::HasSubstr;

TEST(Dispatcher, ChangesLiveRowsOnlyAtTheEdgesOfEachBucket) {
  Dispatcher dispatcher(accumulate(), options_with({1, 3, 8, 20}));
  // 1, b - 1, b and b + 1 of each bucket b.
  for (const std::int64_t live : {1, 2, 3, 4, 7, 8, 9, 19, 20, 21}) {
    State state;

    const auto answer = dispatcher.run(live, state.bind());

    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(answer->result.get<std::int64_t>("touched"), live);
    EXPECT_EQ(answer->eager, live > 20);
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

// Rows go to slots of a state that is not theirs to choose; a row without a slot has -1.
TEST(Dispatcher, RowsWithoutASlotWriteNowhere) {
  constexpr const char* scatters = R"(program stores(n: size, m: size) {
  in    x: f64[n], slots: i32[n], live: i64
  inout state: f64[m]
  foreach i in 0..n {
    if i < live && slots[i] >= 0 { scatter state[slots[i]] = x[i] }
  }
}
)";
  Dispatcher dispatcher(text::parse_program("test.gyre", scatters), options_with({4, 8}));
  const std::vector<double> x(8, 7.0);
  const std::vector<std::int32_t> slots = {2, -1, 0, -1, 5, 5, 5, 5};
  std::vector<double> state(6, 1.0);

  const auto answer = dispatcher.run(4, [&](Executable& executable, std::int64_t rows) {
    const auto count = static_cast<std::size_t>(rows);
    executable.bind("x", std::span(x).first(count));
    executable.bind("slots", std::span(slots).first(count));
    executable.bind("state", state);
  });

  EXPECT_EQ(answer->rows, 4);
  EXPECT_EQ(state, (std::vector<double>{7, 1, 7, 1, 1, 1}));
  // The same as padding of a larger bucket: 5 of 8 rows are live.
  dispatcher.run(5, [&](Executable& executable, std::int64_t) {
    executable.bind("x", x);
    executable.bind("slots", slots);
    executable.bind("state", state);
  });
  EXPECT_EQ(state, (std::vector<double>{7, 1, 7, 1, 1, 7}));
}

TEST(Dispatcher, TwoProgramsOfEqualShapesKeepApart) {
  ir::Program other = text::parse_program("test.gyre", R"(program accumulate(n: size) {
  in    x: f64[n], live: i64
  inout sums: f64[n]
  out   touched: i64
  foreach i in 0..n { if i < live { sums[i] -= x[i] } }
}
)");
  Dispatcher adds(accumulate(), options_with({4}));
  Dispatcher takes(std::move(other), options_with({4}));
  State state;

  for (int round = 0; round < 3; ++round) {
    adds.run(3, state.bind());
    takes.run(3, state.bind());
  }

  EXPECT_EQ(state.sums[2], 3 * (3.0 - 1.5));
  EXPECT_EQ(adds.counts().made + takes.counts().made, 2u);
}

TEST(Dispatcher, BucketsThatTakeTurnsShareOneArena) {
  Dispatcher dispatcher(accumulate(), options_with({2, 512, 1024}));
  std::vector<double> x(1024, 1.5);
  std::vector<double> sums(1024, 0.0);

  for (const std::int64_t live : {1024, 2, 512, 1, 600}) {
    dispatcher.run(live, [&](Executable& executable, std::int64_t rows) {
      executable.bind("x", std::span(x).first(static_cast<std::size_t>(rows)));
      executable.bind("sums", std::span(sums).first(static_cast<std::size_t>(rows)));
    });
  }

  EXPECT_EQ(sums[0], 15.0);
  EXPECT_EQ(sums[1023], 3.0);
  EXPECT_GE(dispatcher.arena_bytes(), 1024 * sizeof(double));
  EXPECT_LT(dispatcher.arena_bytes(), 1200 * sizeof(double));
}

TEST(Dispatcher, TwoDispatchersMayShareAnArena) {
  DispatchOptions options = options_with({64});
  options.compile.arena = std::make_shared<SharedArena>();
  Dispatcher one(accumulate(), options);
  Dispatcher other(accumulate(), options);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;

  for (Dispatcher* dispatcher : {&one, &other}) {
    threads.emplace_back([&right, dispatcher] {
      for (int round = 0; round < 100; ++round) {
        State state;
        dispatcher->run(60, state.bind());
        if (state.sums[59] == 3.0 && state.sums[60] == 0.0) ++right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(right, 200);
  EXPECT_LT(one.arena_bytes(), 128 * sizeof(double));
}

TEST(Dispatcher, WhatADriverTakesCountsInTheLimits) {
  DispatchOptions options = options_with({1, 2, 3, 4});
  options.driver_bytes = 1000;
  options.limits.bytes = 2500;
  Dispatcher dispatcher(accumulate(), std::move(options));
  State state;

  for (const std::int64_t live : {1, 2, 3, 4}) dispatcher.run(live, state.bind());

  EXPECT_EQ(dispatcher.counts().things, 2u);
  EXPECT_EQ(dispatcher.counts().bytes, 2000u);
}

TEST(Dispatcher, AThousandShapesWithRoomForSixteen) {
  std::vector<std::int64_t> sizes(1000);
  for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = static_cast<std::int64_t>(i) + 1;
  DispatchOptions options = options_with(sizes);
  options.driver_bytes = 1000;
  options.limits.bytes = 16'000;
  options.compile.threads = 1;
  Dispatcher dispatcher(accumulate(), std::move(options));
  std::vector<double> x(1000, 1.0);
  std::vector<double> sums(1000, 0.0);
  const auto ask = [&](std::int64_t live) {
    return dispatcher.run(live, [&](Executable& executable, std::int64_t rows) {
      executable.bind("x", std::span(x).first(static_cast<std::size_t>(rows)));
      executable.bind("sums", std::span(sums).first(static_cast<std::size_t>(rows)));
    });
  };

  for (const std::int64_t live : sizes) ASSERT_EQ(ask(live)->rows, live);
  // The sixteen that were used last are there, and no other.
  for (std::int64_t live = 985; live <= 1000; ++live) ask(live);
  const CacheCounts counts = dispatcher.counts();
  ask(984);

  EXPECT_EQ(counts,
            (CacheCounts{.hits = 16, .made = 1000, .evicted = 984, .things = 16, .bytes = 16'000}));
  EXPECT_EQ(dispatcher.counts().made, 1001u);
  EXPECT_EQ(sums[999], 4.0);
}

TEST(Dispatcher, MakesEachBucketOnceAndHitsItAfterwards) {
  DispatchOptions options = options_with({2, 4, 8});
  options.side_by_side = true;
  Dispatcher dispatcher(accumulate(), std::move(options));
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

}  // namespace
}  // namespace gyre::dispatch
