#include "gyre/dispatch/dispatcher.hpp"
#include "support/random.hpp"
#include "unit/dispatch/accumulate.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <list>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::dispatch {
namespace {

// Sizes of which small ones are asked for more often.
std::int64_t any_size(support::Random& random) {
  return random.between(1, random.between(1, 48));
}

// How often a cache of so many things that drops what was used longest ago has what is asked for,
// where so many more are always in the making: who asks for one of those waits for it, and makes
// none.
double simulated_hit_rate(std::size_t room, std::size_t in_the_making) {
  constexpr int requests = 20'000;
  support::Random random(99);
  std::list<std::int64_t> held;
  std::list<std::int64_t> made;
  int hits = 0;
  for (int request = 0; request < requests; ++request) {
    const std::int64_t size = any_size(random);
    if (const auto found = std::find(held.begin(), held.end(), size); found != held.end()) {
      ++hits;
      held.splice(held.end(), held, found);
    } else if (std::find(made.begin(), made.end(), size) != made.end()) {
      ++hits;
    } else {
      made.push_back(size);
      if (made.size() <= in_the_making) continue;
      held.splice(held.end(), made, made.begin());
      if (held.size() > room) held.pop_front();
    }
  }
  return static_cast<double>(hits) / requests;
}

// How long the cache is hammered: GYRE_HAMMER_SECONDS, or a moment.
std::chrono::milliseconds hammering_time() {
  const char* seconds = std::getenv("GYRE_HAMMER_SECONDS");
  return std::chrono::milliseconds(seconds == nullptr ? 1500 : 1000 * std::atol(seconds));
}

/// Sixteen threads ask for random sizes, with room for a third of them.
class HammeredDispatcher : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr std::size_t room = 16;
  static constexpr std::uint64_t threads = 16;
  // However slow the machine is: enough for a hit rate that means something.
  static constexpr int requests_at_least = 250;

  static DispatchOptions options() {
    std::vector<std::int64_t> sizes;
    for (std::int64_t size = 1; size <= 48; ++size) sizes.push_back(size);
    DispatchOptions options = options_with(sizes);
    options.side_by_side = GetParam();
    // Temporaries of 512 bytes or less each.
    options.driver_bytes = 99'488;
    options.limits.bytes = room * 100'000;
    options.compile.threads = 1;
    return options;
  }

  // Whether the request of that many rows, and no other, wrote its rows.
  static bool is_answered(Dispatcher& dispatcher, std::int64_t live) {
    State state;
    const auto answer = dispatcher.run(live, state.bind());
    if (!answer || answer->result.get<std::int64_t>("touched") != live) return false;
    for (std::size_t row = 0; row < state.sums.size(); ++row) {
      if (state.sums[row] != (row < static_cast<std::size_t>(live) ? 3.0 : 0.0)) return false;
    }
    return true;
  }
};

TEST_P(HammeredDispatcher, AnswersRightlyHitsAsSimulatedAndLeavesNothingBehind) {
  Dispatcher dispatcher(accumulate(), options());
  const auto end = std::chrono::steady_clock::now() + hammering_time();
  std::atomic<int> wrong = 0;
  std::atomic<std::uint64_t> asked = 0;
  std::vector<std::thread> askers;

  for (std::uint64_t seed = 1; seed <= threads; ++seed) {
    askers.emplace_back([&, seed] {
      support::Random random(seed);
      int requests = 0;
      while (requests < requests_at_least || std::chrono::steady_clock::now() < end) {
        if (!is_answered(dispatcher, any_size(random))) ++wrong;
        ++requests;
      }
      asked += static_cast<std::uint64_t>(requests);
    });
  }
  for (std::thread& asker : askers) asker.join();

  const CacheCounts counts = dispatcher.counts();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(counts.hits + counts.made + counts.not_kept, asked);
  EXPECT_EQ(counts.made - counts.evicted, counts.things);
  EXPECT_LE(counts.bytes, room * 100'000);
  // How many are in the making at once is the scheduler's choice: none, or all but one thread's.
  // What threads hold cannot go, so that what a lone thread would keep may find no room.
  const double hit_rate = static_cast<double>(counts.hits) / static_cast<double>(asked);
  EXPECT_GE(hit_rate, simulated_hit_rate(room, 0) - 0.06) << asked << " requests";
  EXPECT_LE(hit_rate, simulated_hit_rate(room, threads - 1) + 0.03) << asked << " requests";
  RecordProperty("requests", std::to_string(asked));
  RecordProperty("hit_rate", std::to_string(hit_rate));
}

INSTANTIATE_TEST_SUITE_P(Ways, HammeredDispatcher, ::testing::Bool(), [](const auto& side_by_side) {
  return std::string(side_by_side.param ? "SideBySide" : "InTurns");
});

}  // namespace
}  // namespace gyre::dispatch
