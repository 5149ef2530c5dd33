#include "gyre/dispatch/shape_cache.hpp"

#include "support/random.hpp"

#include <algorithm>
#include <atomic>
#include <list>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::dispatch {
namespace {

// Counts how many there are, and knows whether it is there.
class Thing {
 public:
  explicit Thing(const Shape& shape) : shape_(shape) { ++alive; }
  ~Thing() {
    shape_.program = "gone";
    --alive;
  }
  Thing(const Thing&) = delete;

  const Shape& shape() const { return shape_; }

  static inline std::atomic<int> alive = 0;

 private:
  Shape shape_;
};

// Each test says how its things are made.
class Cache : public ShapeCache<Thing> {
 public:
  using MakeIt = std::function<Made(const Shape&)>;

  Cache(const CacheLimits& limits, MakeIt make_it)
      : ShapeCache(limits), make_it_(std::move(make_it)) {}

  std::shared_ptr<Thing> find_or_make(const Shape& shape) {
    return ShapeCache::find_or_make(shape, [&] { return make_it_(shape); });
  }

 private:
  MakeIt make_it_;
};

Shape of_size(std::int64_t size) {
  return {"decode", "", {size}};
}

// A thing takes as many bytes as its size.
Cache::Made make(const Shape& shape) {
  return {std::make_shared<Thing>(shape), static_cast<std::size_t>(shape.sizes[0])};
}

TEST(ShapeCache, MakesAThingOnce) {
  int made = 0;
  Cache cache({}, [&](const Shape& shape) {
    ++made;
    return make(shape);
  });

  const auto first = cache.find_or_make(of_size(8));
  const auto second = cache.find_or_make(of_size(8));

  EXPECT_EQ(first, second);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(cache.counts(), (CacheCounts{.hits = 1, .made = 1, .things = 1, .bytes = 8}));
}

TEST(ShapeCache, TellsProgramsAndModesOfEqualSizesApart) {
  Cache cache({}, make);

  const auto plain = cache.find_or_make({"decode", "", {8}});
  const auto checked = cache.find_or_make({"decode", "checked", {8}});
  const auto other = cache.find_or_make({"encode", "", {8}});

  EXPECT_NE(plain, checked);
  EXPECT_NE(plain, other);
}

TEST(ShapeCache, DropsWhatWasUsedLongestAgo) {
  Cache cache({.bytes = 20}, make);
  cache.find_or_make(of_size(9));
  cache.find_or_make(of_size(10));
  cache.find_or_make(of_size(9));

  cache.find_or_make(of_size(11));

  const auto before = cache.counts();
  cache.find_or_make(of_size(9));
  EXPECT_EQ(before, (CacheCounts{.hits = 1, .made = 3, .evicted = 1, .things = 2, .bytes = 20}));
  EXPECT_EQ(cache.counts().hits, 2u);
}

TEST(ShapeCache, NeverDropsWhatSomebodyHolds) {
  Cache cache({.bytes = 20}, make);
  const auto held = cache.find_or_make(of_size(10));
  cache.find_or_make(of_size(9));

  cache.find_or_make(of_size(8));

  EXPECT_EQ(cache.find_or_make(of_size(10)), held);
  EXPECT_EQ(cache.counts().bytes, 18u);
}

TEST(ShapeCache, WhatFindsNoRoomServesItsRequestAndIsNotKept) {
  Cache cache({.bytes = 20}, make);
  const auto held = cache.find_or_make(of_size(15));

  const auto passing = cache.find_or_make(of_size(10));
  const auto huge = cache.find_or_make(of_size(21));

  EXPECT_EQ(passing->shape(), of_size(10));
  EXPECT_EQ(huge->shape(), of_size(21));
  EXPECT_EQ(cache.counts(), (CacheCounts{.made = 1, .not_kept = 2, .things = 1, .bytes = 15}));
}

TEST(ShapeCache, AShapeIsMadeOnceItsRequestsSayThatItPays) {
  const auto worth_after = [](const Shape& shape) -> std::optional<std::int64_t> {
    if (shape.sizes[0] > 100) return std::nullopt;
    return 3;
  };
  Cache cache({.worth_after = worth_after}, make);

  for (int request = 0; request < 3; ++request) {
    EXPECT_EQ(cache.find_or_make(of_size(8)), nullptr);
  }

  EXPECT_NE(cache.find_or_make(of_size(8)), nullptr);
  for (int request = 0; request < 10; ++request) {
    EXPECT_EQ(cache.find_or_make(of_size(101)), nullptr);
  }
  EXPECT_EQ(cache.counts(), (CacheCounts{.made = 1, .eager = 13, .things = 1, .bytes = 8}));
}

TEST(ShapeCache, ForgetsShapesThatAreHardlyAskedFor) {
  Cache cache({.worth_after = [](const Shape&) { return 4; }, .counted_shapes = 16}, make);
  for (int request = 0; request < 3; ++request) cache.find_or_make(of_size(5));

  // Each is asked for once; together they halve the counts, and are forgotten themselves.
  for (std::int64_t size = 1000; size < 1030; ++size) cache.find_or_make(of_size(size));

  EXPECT_EQ(cache.find_or_make(of_size(1000)), nullptr);
  EXPECT_EQ(cache.counts().things, 0u);
}

TEST(ShapeCache, AFailureReachesWhoeverAskedAndIsNotRemembered) {
  bool fails = true;
  Cache cache({}, [&](const Shape& shape) -> Cache::Made {
    if (fails) throw std::runtime_error("no memory");
    return make(shape);
  });

  EXPECT_THROW(cache.find_or_make(of_size(8)), std::runtime_error);
  fails = false;
  EXPECT_NE(cache.find_or_make(of_size(8)), nullptr);
}

TEST(ShapeCache, ClearingKeepsWhatIsInUse) {
  Cache cache({}, make);
  const auto held = cache.find_or_make(of_size(8));
  cache.find_or_make(of_size(9));

  cache.clear();

  EXPECT_EQ(cache.counts().things, 1u);
  EXPECT_EQ(cache.find_or_make(of_size(8)), held);
}

// The books of an LRU cache, kept in the simplest way.
struct Simulation {
  std::size_t budget;
  std::list<std::int64_t> held;
  std::size_t bytes = 0;
  CacheCounts counts = {};

  void request(std::int64_t size) {
    const auto found = std::find(held.begin(), held.end(), size);
    if (found != held.end()) {
      ++counts.hits;
      held.erase(found);
      held.push_back(size);
      return;
    }
    while (bytes + static_cast<std::size_t>(size) > budget) {
      bytes -= static_cast<std::size_t>(held.front());
      held.pop_front();
      ++counts.evicted;
    }
    ++counts.made;
    bytes += static_cast<std::size_t>(size);
    held.push_back(size);
  }
};

TEST(ShapeCache, HitsAsOftenAsASimulationSays) {
  Simulation expected{.budget = 300, .held = {}};
  Cache cache({.bytes = 300}, make);
  support::Random random(1);

  for (int request = 0; request < 20'000; ++request) {
    // Small sizes are asked for more often.
    const std::int64_t size = random.between(1, random.between(1, 80));
    expected.request(size);
    cache.find_or_make(of_size(size));
  }

  expected.counts.things = expected.held.size();
  expected.counts.bytes = expected.bytes;
  EXPECT_EQ(cache.counts(), expected.counts);
}

TEST(ShapeCache, ThreadsThatWantTheSameWaitForOneMaking) {
  std::atomic<int> made = 0;
  Cache cache({}, [&](const Shape& shape) {
    ++made;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return make(shape);
  });
  std::vector<std::thread> threads;
  std::vector<std::shared_ptr<Thing>> found(8);

  for (auto& thing : found) {
    threads.emplace_back([&] { thing = cache.find_or_make(of_size(8)); });
  }
  for (std::thread& thread : threads) thread.join();

  EXPECT_EQ(made, 1);
  EXPECT_TRUE(std::all_of(found.begin(), found.end(),
                          [&](const auto& thing) { return thing == found.front(); }));
}

TEST(ShapeCache, SixteenThreadsUseNothingThatIsGoneAndLeaveNothingBehind) {
  {
    Cache cache({.bytes = 100}, make);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (std::uint64_t seed = 1; seed <= 16; ++seed) {
      threads.emplace_back([&, seed] {
        support::Random random(seed);
        std::vector<std::shared_ptr<Thing>> held(3);
        for (int request = 0; request < 5000; ++request) {
          const Shape shape = of_size(random.between(1, 60));
          auto& place = held[static_cast<std::size_t>(random.between(0, 2))];
          place = cache.find_or_make(shape);
          if (place->shape() != shape) ++wrong;
          for (const auto& thing : held) {
            if (thing && thing->shape().program != "decode") ++wrong;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();

    const CacheCounts counts = cache.counts();
    EXPECT_EQ(wrong, 0);
    EXPECT_LE(counts.bytes, 100u);
    EXPECT_EQ(counts.hits + counts.made + counts.not_kept, 16u * 5000u);
    EXPECT_EQ(counts.made - counts.evicted, counts.things);
    EXPECT_EQ(static_cast<std::size_t>(Thing::alive), counts.things);
  }
  EXPECT_EQ(Thing::alive, 0);
}

TEST(Shape, IsDescribedByAllThatTellsItApart) {
  EXPECT_EQ(describe({"decode", "checked", {8, 128}}), "decode (checked) 8 x 128");
  EXPECT_EQ(describe({"decode", "", {}}), "decode");
}

}  // namespace
}  // namespace gyre::dispatch
