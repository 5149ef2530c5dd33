#include "cpu_lanes.hpp"

#include <algorithm>
#include <iterator>

namespace gyre::executors::cpu {

void Context::start(int count) {
  lanes = count;
  owners_known = false;
  if (!dirty) return;
  std::fill(state.begin(), state.end(), std::uint8_t{Running});
  dirty = false;
}

const Segment& Context::segment_of(int term) const {
  const auto after = std::upper_bound(segments.begin(), segments.begin() + segment_count, term,
                                      [](int t, const Segment& s) { return t < s.first; });
  return *std::prev(after);
}

const std::int32_t* Context::owner_list() {
  if (!owners_known) {
    for (int s = 0; s < segment_count; ++s) {
      const Segment& segment = segments[static_cast<std::size_t>(s)];
      std::fill_n(owners.begin() + segment.first, segment.count, segment.lane);
    }
    owners_known = true;
  }
  return owners.data();
}

std::int32_t* LaneStack::take() {
  if (used_ == lists_.size()) {
    lists_.push_back(std::make_unique<std::int32_t[]>(static_cast<std::size_t>(capacity_)));
  }
  return lists_[used_++].get();
}

}  // namespace gyre::executors::cpu
