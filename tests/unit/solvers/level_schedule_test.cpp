#include "gyre/solvers/level_schedule.hpp"

#include "systems.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using Rows = std::vector<std::int32_t>;

SparseMatrix pattern_of(const io::CsrMatrix& matrix) {
  return {.rows = matrix.rows,
          .columns = matrix.rows,
          .row = matrix.row,
          .col = matrix.col,
          .val = matrix.val};
}

// Every row has its diagonal and up to so many others, anywhere.
SparseMatrix random_pattern(std::int32_t n, int others) {
  std::mt19937 random(3);
  std::uniform_int_distribution<std::int32_t> column(0, n - 1);
  io::Triplets triplets;
  for (std::int32_t i = 0; i < n; ++i) {
    triplets.add(i, i, 1);
    for (int k = 0; k < others; ++k) triplets.add(i, column(random), 1);
  }
  return pattern_of(io::make_csr(n, n, triplets));
}

// The chunk of each row; -1 before the first.
std::vector<int> chunk_of_rows(const LevelSchedule& schedule) {
  std::vector<int> chunk(schedule.order.size(), -1);
  for (std::size_t c = 0; c + 1 < schedule.begin.size(); ++c) {
    for (auto k = schedule.begin[c]; k < schedule.begin[c + 1]; ++k) {
      chunk[static_cast<std::size_t>(schedule.order[static_cast<std::size_t>(k)])] =
          static_cast<int>(c);
    }
  }
  return chunk;
}

void expect_every_row_once(const LevelSchedule& schedule, std::int64_t rows) {
  Rows sorted = schedule.order;
  std::sort(sorted.begin(), sorted.end());
  Rows expected(static_cast<std::size_t>(rows));
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(sorted, expected);
  EXPECT_EQ(schedule.begin.back(), rows);
  for (std::size_t c = 1; c < schedule.begin.size(); ++c) {
    EXPECT_LE(schedule.begin[c] - schedule.begin[c - 1], schedule.width);
    EXPECT_GE(schedule.begin[c], schedule.begin[c - 1]);
  }
}

TEST(LevelSchedule, LevelsOfAGridAreItsDiagonals) {
  const auto below = schedule_below_diagonal(pattern_of(laplacian(4)));
  const auto above = schedule_above_diagonal(pattern_of(laplacian(4)));

  EXPECT_EQ(below.order, (Rows{0, 1, 4, 2, 5, 8, 3, 6, 9, 12, 7, 10, 13, 11, 14, 15}));
  EXPECT_EQ(below.begin, (Rows{1, 3, 6, 10, 13, 15, 16}));
  EXPECT_EQ(below.width, 4);
  EXPECT_EQ(above.order.front(), 15);
  EXPECT_EQ(above.begin, below.begin);
}

TEST(LevelSchedule, EveryRowStandsBehindThoseThatItNeeds) {
  for (const auto& pattern : {random_pattern(300, 1), random_pattern(300, 4)}) {
    const auto below = schedule_below_diagonal(pattern);
    const auto above = schedule_above_diagonal(pattern);
    const auto chunk_below = chunk_of_rows(below);
    const auto chunk_above = chunk_of_rows(above);

    expect_every_row_once(below, 300);
    expect_every_row_once(above, 300);
    for (std::size_t i = 0; i < 300; ++i) {
      for (auto k = pattern.row[i]; k < pattern.row[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(pattern.col[static_cast<std::size_t>(k)]);
        if (j == i) continue;
        const auto& chunk = j < i ? chunk_below : chunk_above;
        EXPECT_LT(chunk[j], chunk[i]);
      }
    }
  }
}

TEST(LevelSchedule, LevelsComeInPairs) {
  const auto schedule = schedule_below_diagonal(pattern_of(dense({{1, 0}, {1, 1}})));

  EXPECT_EQ(schedule.begin, (Rows{1, 2, 2}));
  EXPECT_EQ(schedule.width, 1);
}

TEST(LevelSchedule, RowsWithoutOthersAreNoChunk) {
  const auto schedule = schedule_below_diagonal(pattern_of(diagonal({1, 2, 3})));

  EXPECT_EQ(schedule.chunks(), 0);
  EXPECT_EQ(schedule.width, 0);
  EXPECT_EQ(schedule.order, (Rows{0, 1, 2}));
  EXPECT_EQ(schedule_above_diagonal(pattern_of(diagonal({}))).chunks(), 0);
}

// One wide level of 100,000 rows and a chain of 1,000: steps as wide as the level would cost the
// chain more than a few steps cost the level.
TEST(LevelSchedule, AWideLevelAmongManyNarrowOnesIsCut) {
  io::Triplets triplets;
  const std::int32_t wide = 100'000;
  const std::int32_t n = 1 + wide + 1000;
  for (std::int32_t i = 0; i < n; ++i) {
    triplets.add(i, i, 1);
    if (i > 0) triplets.add(i, i <= wide ? 0 : i - 1, 1);
  }
  const auto pattern = pattern_of(io::make_csr(n, n, triplets));

  const auto schedule = schedule_below_diagonal(pattern);

  expect_every_row_once(schedule, n);
  EXPECT_LT(schedule.width, 20'000);
  EXPECT_GT(schedule.width, 1'000);
  EXPECT_LT(schedule.chunks(), 1'100);
}

TEST(Colours, NoTwoNeighboursHaveTheSame) {
  for (const auto& pattern : {random_pattern(300, 1), random_pattern(300, 4)}) {
    const auto schedule = schedule_by_colours(pattern);
    const auto colour = chunk_of_rows(schedule);

    expect_every_row_once(schedule, 300);
    EXPECT_EQ(schedule.begin.front(), 0);
    for (std::size_t i = 0; i < 300; ++i) {
      for (auto k = pattern.row[i]; k < pattern.row[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(pattern.col[static_cast<std::size_t>(k)]);
        if (j == i) continue;
        EXPECT_NE(colour[j], colour[i]);
      }
    }
  }
}

TEST(Colours, OfAGridAreRedAndBlack) {
  const auto schedule = schedule_by_colours(pattern_of(laplacian(4)));

  EXPECT_EQ(schedule.begin, (Rows{0, 8, 16}));
  EXPECT_EQ(Rows(schedule.order.begin(), schedule.order.begin() + 8),
            (Rows{0, 2, 5, 7, 8, 10, 13, 15}));
}

// A row that others look at, and that looks at none, must not have their colour either.
TEST(Colours, SeeNeighboursInBothDirections) {
  const auto schedule = schedule_by_colours(pattern_of(dense({{1, 1, 1}, {0, 1, 0}, {0, 0, 1}})));

  EXPECT_EQ(schedule.begin, (Rows{0, 1, 3}));
}

}  // namespace
}  // namespace gyre::solvers
