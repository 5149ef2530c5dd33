#include "gyre/plan/arena.hpp"

#include "gyre/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace gyre::plan {
namespace {

std::size_t align(std::size_t bytes) {
  return (bytes + arena_alignment - 1) / arena_alignment * arena_alignment;
}

}  // namespace

bool live_at_once(const Temporary& a, const Temporary& b) {
  const auto [one, other] =
      std::mismatch(a.arms.begin(), a.arms.end(), b.arms.begin(), b.arms.end());
  if (one != a.arms.end() && other != b.arms.end() && one->fork == other->fork) return true;
  return a.first <= b.last && b.first <= a.last;
}

ArenaLayout layout_arena(const Plan& plan, std::span<const std::size_t> sizes) {
  const std::size_t count = plan.temporaries.size();
  GYRE_CHECK(sizes.size() == count, "an arena needs the size of every temp buffer");
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });

  ArenaLayout layout{std::vector<std::size_t>(count), 0};
  // Placed so far, by offset.
  std::vector<std::size_t> placed;
  for (const std::size_t one : order) {
    std::size_t at = 0;
    for (const std::size_t other : placed) {
      if (!live_at_once(plan.temporaries[one], plan.temporaries[other])) continue;
      if (at + align(sizes[one]) <= layout.offsets[other]) break;
      at = std::max(at, layout.offsets[other] + align(sizes[other]));
    }
    layout.offsets[one] = at;
    layout.total = std::max(layout.total, at + align(sizes[one]));
    const auto after = std::upper_bound(
        placed.begin(), placed.end(), at,
        [&](std::size_t offset, std::size_t p) { return offset < layout.offsets[p]; });
    placed.insert(after, one);
  }
  return layout;
}

}  // namespace gyre::plan
