#include "gyre/plan/arena.hpp"

#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::plan {
namespace {

Plan with_lives(const std::vector<std::pair<std::uint32_t, std::uint32_t>>& lives) {
  Plan plan;
  for (const auto& [first, last] : lives) {
    const auto id = static_cast<ir::SymbolId>(plan.temporaries.size());
    plan.temporaries.push_back({id, first, last});
  }
  return plan;
}

TEST(Arena, DisjointLivesShareMemory) {
  const Plan plan = with_lives({{0, 3}, {4, 7}});

  const auto layout = layout_arena(plan, std::vector<std::size_t>{1000, 800});

  EXPECT_EQ(layout.offsets, (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(layout.total, 1024);
}

TEST(Arena, LivesThatTouchDoNotShare) {
  const Plan plan = with_lives({{0, 4}, {4, 7}});

  const auto layout = layout_arena(plan, std::vector<std::size_t>{1, 1});

  EXPECT_NE(layout.offsets[0], layout.offsets[1]);
}

TEST(Arena, LivesInDifferentArmsOfAForkDoNotShare) {
  Plan plan = with_lives({{0, 3}, {4, 7}, {4, 7}, {8, 9}});
  plan.temporaries[0].arms = {{0, 0}};
  plan.temporaries[1].arms = {{0, 1}, {1, 0}};
  plan.temporaries[2].arms = {{0, 1}, {1, 1}};
  plan.temporaries[3].arms = {{2, 1}};

  const auto layout = layout_arena(plan, std::vector<std::size_t>{1024, 1024, 1024, 1024});

  EXPECT_EQ(layout.total, 3 * 1024);
  EXPECT_TRUE(live_at_once(plan.temporaries[0], plan.temporaries[2]));
  EXPECT_TRUE(live_at_once(plan.temporaries[1], plan.temporaries[2]));
  EXPECT_FALSE(live_at_once(plan.temporaries[0], plan.temporaries[3]));
}

TEST(Arena, ASmallBufferFillsAGap) {
  const Plan plan = with_lives({{0, 9}, {0, 4}, {5, 9}, {5, 9}});

  const auto layout = layout_arena(plan, std::vector<std::size_t>{4096, 2048, 1024, 1024});

  EXPECT_EQ(layout.total, 4096 + 2048);
}

TEST(Arena, OverlappingLivesNeverShareAByte) {
  std::uint32_t state = 1;
  const auto next = [&](std::uint32_t below) {
    state = state * 1664525 + 1013904223;
    return (state >> 8) % below;
  };
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> lives;
    std::vector<std::size_t> sizes;
    for (std::uint32_t i = 0; i < 20; ++i) {
      const std::uint32_t first = next(30);
      lives.emplace_back(first, first + next(10));
      sizes.push_back(next(5000));
    }

    const auto layout = layout_arena(with_lives(lives), sizes);

    for (std::size_t a = 0; a < lives.size(); ++a) {
      EXPECT_EQ(layout.offsets[a] % arena_alignment, 0);
      EXPECT_LE(layout.offsets[a] + sizes[a], layout.total);
      for (std::size_t b = 0; b < a; ++b) {
        if (lives[a].first > lives[b].second || lives[b].first > lives[a].second) continue;
        const bool apart = layout.offsets[a] + sizes[a] <= layout.offsets[b] ||
                           layout.offsets[b] + sizes[b] <= layout.offsets[a];
        EXPECT_TRUE(apart || sizes[a] == 0 || sizes[b] == 0) << a << " and " << b;
      }
    }
  }
}

}  // namespace
}  // namespace gyre::plan
