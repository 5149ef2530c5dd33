/// Which form each branch and loop of a plan takes on a GPU that decides by itself.
///
/// A branch is a conditional node, or its arms stand in line as kernels under a guard: a word that
/// says whether they do anything. A loop's body holds one trip, or several of which those behind
/// the last are guarded off; the first trips may stand in line ahead of the loop's node. Bits and
/// trips are the same in every form; the costs are not. Leaves out the prices (cost_model.hpp).
#pragma once

#include "gyre/plan/cost_table.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gyre::plan {

/// By the number of a loop or branch in the order of for_each_node. What lies beyond the end is a
/// conditional node of one trip.
struct Choices {
  std::vector<bool> predicated;
  /// How many copies of a trip a loop's body holds, and how many stand in line ahead of its node.
  std::vector<std::uint32_t> copies;
  std::vector<std::uint32_t> ahead = {};

  bool is_predicated(std::uint32_t number) const {
    return number < predicated.size() && predicated[number];
  }
  std::uint32_t copies_of(std::uint32_t number) const {
    return number < copies.size() ? copies[number] : 1;
  }
  std::uint32_t ahead_of(std::uint32_t number) const {
    return number < ahead.size() ? ahead[number] : 0;
  }
};

/// Who chooses; without a value the costs do.
struct ChoicePolicy {
  /// Whether every branch that can be is predicated, or none.
  std::optional<bool> predication = {};
  /// The copies of every loop that can be unrolled, in its body and ahead of its node.
  std::optional<std::uint32_t> copies = {};
  std::optional<std::uint32_t> ahead = {};
  /// Branches that the host decides, by number: it takes one arm, or asks after so many copies.
  std::vector<bool> host_decides = {};
};

/// Only what can do nothing by itself goes under a guard: kernels, guarded calls, clears of temps
/// that nothing reads later, and branches of those that are predicated themselves.
Choices make_choices(const Plan& plan, const CostTable& costs, const ChoicePolicy& policy = {});

/// A line for each loop and branch: what is chosen, at which prices, or why there is no choice.
std::vector<std::string> explain_choices(const Plan& plan, const CostTable& costs);

}  // namespace gyre::plan
