#include "hazards.hpp"

#include "gyre/plan/accesses.hpp"

#include <algorithm>

namespace gyre::jit {
namespace {

bool meet(const std::set<std::uint32_t>& a, const std::set<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t one) { return b.contains(one); });
}

}  // namespace

Part part_of(const plan::Plan& plan, const std::vector<plan::ScalarStep>& steps) {
  Part part;
  for (const plan::ScalarStep& step : steps) {
    plan::Accesses accesses;
    plan::add_reads(plan, plan::value_of(step), accesses);
    for (const ir::SymbolId buffer : accesses.loads) part.buffers[buffer] = {true, false, false};
    const auto* finish = std::get_if<plan::Finish>(&step.kind);
    if (finish != nullptr) part.finished.insert(finish->reduction);
  }
  return part;
}

Part part_of(const plan::Sweep& sweep) {
  return {&sweep, plan::touches_of(sweep), plan::reductions_fed(sweep), {}};
}

Hazards::Hazards(const plan::Plan& plan, const std::set<ir::SymbolId>& on_chip) : plan_(plan) {
  for (const plan::Temporary& one : plan.temporaries) {
    if (!on_chip.contains(one.buffer)) temporaries_.emplace(one.buffer, &one);
  }
}

bool Hazards::reuse_memory(ir::SymbolId a, ir::SymbolId b) const {
  const auto one = temporaries_.find(a);
  const auto other = temporaries_.find(b);
  return one != temporaries_.end() && other != temporaries_.end() && a != b &&
         !plan::live_at_once(*one->second, *other->second);
}

// What one thread still reads of a buffer may lie where another one stores to the next one already.
bool Hazards::collide_in_reused_memory(const Part& earlier, const Part& later) const {
  return std::any_of(earlier.buffers.begin(), earlier.buffers.end(), [&](const auto& before) {
    return std::any_of(later.buffers.begin(), later.buffers.end(), [&](const auto& after) {
      return (before.second.stores || after.second.stores) &&
             reuse_memory(before.first, after.first);
    });
  });
}

bool Hazards::collide(const Part& earlier, const Part& later) const {
  if (meet(earlier.left, later.finished) || meet(earlier.finished, later.left) ||
      meet(earlier.left, later.left) || collide_in_reused_memory(earlier, later)) {
    return true;
  }
  return std::any_of(earlier.buffers.begin(), earlier.buffers.end(), [&](const auto& entry) {
    const auto found = later.buffers.find(entry.first);
    if (found == later.buffers.end()) return false;
    const plan::Touch& before = entry.second;
    const plan::Touch& after = found->second;
    if (!before.stores && !after.stores) return false;
    const bool each_its_own = before.own && after.own && earlier.sweep != nullptr &&
                              later.sweep != nullptr &&
                              plan::have_same_points(plan_, *earlier.sweep, *later.sweep);
    return !each_its_own;
  });
}

bool Hazards::needs_meeting(const Part& part) {
  const bool needed = std::any_of(pending_.begin(), pending_.end(),
                                  [&](const Part& earlier) { return collide(earlier, part); });
  if (needed) met();
  pending_.push_back(part);
  return needed;
}

void Hazards::join(const std::vector<Part>& pending) {
  pending_.insert(pending_.end(), pending.begin(), pending.end());
}

}  // namespace gyre::jit
