#include "gyre/solvers/level_schedule.hpp"

#include "at.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace gyre::solvers {
namespace {

std::span<const std::int32_t> columns_of(const SparseMatrix& a, std::int64_t i) {
  return std::span(a.col).subspan(at(a.row[at(i)]), at(a.row[at(i + 1)] - a.row[at(i)]));
}

// Rows by their level, rising within each; and where each level begins.
LevelSchedule grouped(const std::vector<std::int32_t>& level_of) {
  LevelSchedule made;
  const auto levels =
      level_of.empty() ? 0 : *std::max_element(level_of.begin(), level_of.end()) + 1;
  made.begin.assign(at(levels) + 1, 0);
  for (const std::int32_t level : level_of) ++made.begin[at(level) + 1];
  for (std::size_t i = 1; i < made.begin.size(); ++i) made.begin[i] += made.begin[i - 1];
  made.order.resize(level_of.size());
  std::vector<std::int32_t> next(made.begin.begin(), made.begin.end() - 1);
  for (std::size_t i = 0; i < level_of.size(); ++i) {
    made.order[at(next[at(level_of[i])]++)] = static_cast<std::int32_t>(i);
  }
  return made;
}

std::int64_t largest_chunk(const std::vector<std::int32_t>& begin) {
  std::int64_t largest = 0;
  for (std::size_t c = 1; c < begin.size(); ++c) {
    largest = std::max<std::int64_t>(largest, begin[c] - begin[c - 1]);
  }
  return largest;
}

// Every chunk costs a step of `width` rows whether it has them or not: beside what any step costs,
// as much again for so many rows.
constexpr double rows_of_a_step = 65536;

// The width that makes the steps over all levels cheapest.
std::int64_t cheapest_width(const std::vector<std::int32_t>& begin) {
  const std::int64_t largest = largest_chunk(begin);
  std::int64_t best = largest;
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t width = 32; width < 2 * largest; width *= 2) {
    const std::int64_t used = std::min(width, largest);
    std::int64_t steps = 0;
    for (std::size_t c = 1; c < begin.size(); ++c) {
      steps += (begin[c] - begin[c - 1] + used - 1) / used;
    }
    const double cost =
        static_cast<double>(steps) * (1 + static_cast<double>(used) / rows_of_a_step);
    if (cost < least) {
      least = cost;
      best = used;
    }
  }
  return best;
}

// Level 0 taken out of the chunks, and levels that are wider than the width of a step cut.
LevelSchedule by_levels(const std::vector<std::int32_t>& level_of) {
  LevelSchedule levels = grouped(level_of);
  if (levels.begin.size() == 1) return levels;
  levels.begin.erase(levels.begin.begin());
  const std::int64_t width = cheapest_width(levels.begin);
  std::vector<std::int32_t> chunks = {levels.begin[0]};
  for (std::size_t level = 1; level < levels.begin.size(); ++level) {
    while (levels.begin[level] - chunks.back() > width) {
      chunks.push_back(chunks.back() + static_cast<std::int32_t>(width));
    }
    chunks.push_back(levels.begin[level]);
  }
  if (chunks.size() % 2 == 0) chunks.push_back(chunks.back());
  levels.width = largest_chunk(chunks);
  levels.begin = std::move(chunks);
  return levels;
}

}  // namespace

LevelSchedule schedule_below_diagonal(const SparseMatrix& pattern) {
  std::vector<std::int32_t> level(at(pattern.rows));
  for (std::int64_t i = 0; i < pattern.rows; ++i) {
    for (const std::int32_t j : columns_of(pattern, i)) {
      if (j < i) level[at(i)] = std::max(level[at(i)], level[at(j)] + 1);
    }
  }
  return by_levels(level);
}

LevelSchedule schedule_above_diagonal(const SparseMatrix& pattern) {
  std::vector<std::int32_t> level(at(pattern.rows));
  for (std::int64_t i = pattern.rows - 1; i >= 0; --i) {
    for (const std::int32_t j : columns_of(pattern, i)) {
      if (j > i) level[at(i)] = std::max(level[at(i)], level[at(j)] + 1);
    }
  }
  return by_levels(level);
}

LevelSchedule schedule_by_colours(const SparseMatrix& pattern) {
  const SparseMatrix transposed = transpose(pattern);
  std::vector<std::int32_t> colour(at(pattern.rows));
  // The last row that has a neighbour of each colour; one colour more than there are rows will do.
  std::vector<std::int64_t> taken_for(at(pattern.rows) + 1, -1);
  for (std::int64_t i = 0; i < pattern.rows; ++i) {
    for (const SparseMatrix* entries : {&pattern, &transposed}) {
      for (const std::int32_t j : columns_of(*entries, i)) {
        if (j < i) taken_for[at(colour[at(j)])] = i;
      }
    }
    while (taken_for[at(colour[at(i)])] == i) ++colour[at(i)];
  }
  LevelSchedule made = grouped(colour);
  made.width = largest_chunk(made.begin);
  return made;
}

}  // namespace gyre::solvers
