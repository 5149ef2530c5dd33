/// Trips and arms of a plan's regions, as a run counts them.
#pragma once

#include "gyre/ir/outcome.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gyre::executors {

class RegionCounts {
 public:
  /// `plan` outlives the counts.
  explicit RegionCounts(const plan::Plan& plan) : plan_(plan) {
    for (std::size_t i = 0; i < plan.regions.size(); ++i) {
      numbers_.emplace(plan.regions[i].path, i);
    }
    clear();
  }

  void clear() {
    trips_.assign(plan_.regions.size(), 0);
    arms_.clear();
    for (const plan::Plan::Region& region : plan_.regions) arms_.emplace_back(region.arms, 0);
  }

  /// The trips of a loop, or null where it is not counted.
  std::uint64_t* trips(const std::string& path) {
    const auto number = numbers_.find(path);
    return number == numbers_.end() ? nullptr : &trips_[number->second];
  }
  /// Where the branch has such an arm.
  void count_arm(const std::string& path, std::size_t arm) {
    const auto number = numbers_.find(path);
    if (number == numbers_.end()) return;
    std::vector<std::uint64_t>& arms = arms_[number->second];
    if (arm < arms.size()) ++arms[arm];
  }
  void write(ir::Outcome& outcome) const {
    for (std::size_t i = 0; i < plan_.regions.size(); ++i) {
      const plan::Plan::Region& region = plan_.regions[i];
      if (region.arms == 0) {
        outcome.trips[region.path] = trips_[i];
      } else {
        outcome.arms[region.path] = arms_[i];
      }
    }
  }

 private:
  const plan::Plan& plan_;
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::uint64_t> trips_;
  std::vector<std::vector<std::uint64_t>> arms_;
};

}  // namespace gyre::executors
