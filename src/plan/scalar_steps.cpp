#include "scalar_steps.hpp"

#include "gyre/plan/kernel_faults.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace gyre::plan {
namespace {

bool cannot_wait(const ScalarStep& step) {
  return std::holds_alternative<RecordStop>(step.kind) ||
         std::holds_alternative<CheckStep>(step.kind) || needs_checks(step);
}

}  // namespace

void drop_dead_steps(const Plan& plan, std::vector<ScalarStep>& steps) {
  Symbols overwritten;
  std::vector<ScalarStep> kept;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    const auto slot = slot_of(*step);
    Accesses accesses;
    add_reads(plan, value_of(*step), accesses);
    const bool dead = slot && std::holds_alternative<Compute>(step->kind) &&
                      accesses.loads.empty() && overwritten.contains(*slot);
    if (dead) continue;
    if (slot) {
      overwritten.insert(*slot);
    } else if (cannot_wait(*step)) {
      // Where the launch may end, the values so far are results.
      overwritten.clear();
    }
    for (const ir::SymbolId read : accesses.slots) overwritten.erase(read);
    kept.push_back(std::move(*step));
  }
  steps.assign(std::make_move_iterator(kept.rbegin()), std::make_move_iterator(kept.rend()));
}

Symbols loads_of(const Plan& plan, const std::vector<ScalarStep>& steps) {
  Accesses accesses;
  for (const ScalarStep& step : steps) add_reads(plan, value_of(step), accesses);
  return accesses.loads;
}

// From the last step to the first: a step is needed where a needed one reads what it computes, or
// would be overtaken by one that computes what it reads or computes.
SplitSteps split_needed(const Plan& plan, const std::vector<ScalarStep>& steps, Symbols slots) {
  Symbols computed;
  bool all_before = false;
  std::vector<bool> needed(steps.size());
  for (std::size_t i = steps.size(); i-- > 0;) {
    const auto slot = slot_of(steps[i]);
    Accesses accesses;
    add_reads(plan, value_of(steps[i]), accesses);
    all_before = all_before || cannot_wait(steps[i]);
    needed[i] = all_before || meet(accesses.slots, computed) ||
                (slot && (slots.contains(*slot) || computed.contains(*slot)));
    if (!needed[i]) continue;
    if (slot) computed.insert(*slot);
    slots.insert(accesses.slots.begin(), accesses.slots.end());
  }
  SplitSteps split;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    (needed[i] ? split.needed : split.rest).push_back(steps[i]);
  }
  return split;
}

}  // namespace gyre::plan
