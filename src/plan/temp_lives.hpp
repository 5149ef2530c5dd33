/// From where to where in a plan's order of nodes each temp lives, while the plan is made.
#pragma once

#include "gyre/plan/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace gyre::plan {

class TempLives {
 public:
  explicit TempLives(const Plan& plan) : plan_(plan) {}

  /// The next place.
  void advance() { ++position_; }
  /// A buffer is used here; only temps have lives.
  void use(ir::SymbolId buffer) {
    if (plan_[buffer].intent != ir::Intent::Temp) return;
    auto& life = lives_.try_emplace(buffer, position_, position_).first->second;
    life.second = std::max(life.second, position_ + 1);
  }

  /// A loop begins: its place.
  std::uint32_t begin_loop() { return position_++; }
  /// It ends: temps from outside that were used in it last through all of its trips.
  void end_loop(std::uint32_t start) {
    ++position_;
    for (auto& [buffer, life] : lives_) {
      if (life.first < start && life.second >= start) life.second = position_;
    }
  }
  /// The temp's contents go from trip to trip of the loop that just ended, and one node further.
  void carry(ir::SymbolId buffer, std::uint32_t start) {
    const auto found = lives_.find(buffer);
    if (found == lives_.end()) return;
    found->second = {std::min(found->second.first, start), position_ + 1};
  }

  std::vector<Temporary> all() const {
    std::vector<Temporary> temporaries;
    for (const auto& [buffer, life] : lives_) {
      temporaries.push_back({buffer, life.first, life.second});
    }
    return temporaries;
  }

 private:
  const Plan& plan_;
  std::uint32_t position_ = 0;
  std::map<ir::SymbolId, std::pair<std::uint32_t, std::uint32_t>> lives_;
};

}  // namespace gyre::plan
