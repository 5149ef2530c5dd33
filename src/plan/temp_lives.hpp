/// From where to where in a plan's order of nodes each temp lives, while the plan is made.
#pragma once

#include "gyre/plan/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
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
    Temporary& life =
        lives_.try_emplace(buffer, Temporary{buffer, position_, position_, arms_}).first->second;
    life.last = std::max(life.last, position_ + 1);
  }

  /// A loop begins: its place, behind all that was used so far.
  std::uint32_t begin_loop() { return begin(); }
  /// It ends: temps from outside that were used in it last through all of its trips.
  void end_loop(std::uint32_t start) { keep_from_outside(start); }

  /// A fork begins: its place. Its arms follow, each from `begin_arm` to the next one.
  std::uint32_t begin_fork() {
    arms_.push_back({forks_++, 0});
    return begin();
  }
  void begin_arm(std::uint32_t arm) { arms_.back().arm = arm; }
  /// It ends: temps from outside that were used in an arm last as long as the others run.
  void end_fork(std::uint32_t start) {
    arms_.pop_back();
    keep_from_outside(start);
  }
  /// The temp's contents go from trip to trip of the loop that just ended, and one node further.
  void carry(ir::SymbolId buffer, std::uint32_t start) {
    const auto found = lives_.find(buffer);
    if (found == lives_.end()) return;
    found->second.first = std::min(found->second.first, start);
    found->second.last = position_ + 1;
  }

  std::vector<Temporary> all() const {
    std::vector<Temporary> temporaries;
    for (const auto& [buffer, life] : lives_) temporaries.push_back(life);
    return temporaries;
  }

 private:
  std::uint32_t begin() {
    ++position_;
    return position_++;
  }
  void keep_from_outside(std::uint32_t start) {
    ++position_;
    for (auto& [buffer, life] : lives_) {
      if (life.first < start && life.last >= start) life.last = position_;
    }
  }

  const Plan& plan_;
  std::uint32_t position_ = 0;
  std::uint32_t forks_ = 0;
  /// Around the place at hand.
  std::vector<Temporary::Arm> arms_;
  std::map<ir::SymbolId, Temporary> lives_;
};

}  // namespace gyre::plan
