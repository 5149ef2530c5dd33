/// Which loops of a plan can be one kernel: a resident loop stays on the device from its first trip
/// to its last, with its branches and inner loops as plain code.
///
/// Leaves out whether a loop fits on a device, which sizes and the device decide (executors/).
#pragma once

#include "gyre/plan/accesses.hpp"
#include "gyre/plan/cost_table.hpp"
#include "gyre/plan/touches.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gyre::plan {

/// One sentence: what stands in the loop's way. Empty where it can be resident: where it holds
/// kernels, clears, copies, and branches and loops of those, none of which needs checks.
std::string why_not_resident(const Plan& plan, const WhileNode& loop);

/// The outermost loops that can be resident, in the plan's order; and those of one of its blocks.
std::vector<const WhileNode*> resident_loops(const Plan& plan);
std::vector<const WhileNode*> resident_loops(const Plan& plan, const Block& block);

/// A sentence for each loop that no resident one holds: that it can be one kernel, and what a trip
/// takes by who runs it as far as no size counts, or why it cannot.
std::vector<std::string> explain_residence(const Plan& plan, const CostTable& costs);

/// How a loop uses one buffer.
struct BufferUse {
  bool loads = false;
  bool stores = false;
  /// Where every access is at an own place, and of sweeps that all have the same points: the first
  /// of these sweeps. Else null.
  const Sweep* owners = nullptr;
  /// Where every store is one to an own place, of sweeps that all have the same points, and one of
  /// these loads from own places: the first of these sweeps. Else null. What a point owns is known
  /// to whoever runs it, though others look at it.
  const Sweep* writers = nullptr;
};

std::map<ir::SymbolId, BufferUse> buffer_uses(const Plan& plan, const WhileNode& loop);

/// Whether some trips, of the loop or an innermost one in it, fold nothing over the device.
bool has_trips_without_folds(const Plan& plan, const WhileNode& loop);

/// The buffers to which a point of a sweep stores in a loop of its own: any number of elements.
Symbols stored_in_loops_of_points(const Plan& plan, const WhileNode& loop);

/// The buffers that matter behind the loop: the caller's, and the temporaries that something
/// outside of it touches, or a later entry of it.
Symbols used_beyond(const Plan& plan, const WhileNode& loop);

/// Calls `visit` on each kernel that `block` launches, in order, those of inner blocks included.
void for_each_kernel(const Plan& plan, const Block& block,
                     const std::function<void(const Kernel&)>& visit);

}  // namespace gyre::plan
