#include "waiting_nodes.hpp"

#include "gyre/plan/kernel_faults.hpp"

namespace gyre::plan {

bool WaitingNodes::may_be_overtaken_by(const Plan& plan, const ScalarStep& step) const {
  if (waiting_.empty()) return true;
  const bool counts =
      std::holds_alternative<CountArm>(step.kind) || std::holds_alternative<CountTrips>(step.kind);
  if ((!counts && !std::holds_alternative<Compute>(step.kind)) || needs_checks(step)) return false;
  Accesses accesses;
  add_reads(plan, value_of(step), accesses);
  const auto slot = slot_of(step);
  return !meet(accesses.slots, touched_) && !meet(accesses.loads, touched_) &&
         !(slot && touched_.contains(*slot));
}

}  // namespace gyre::plan
