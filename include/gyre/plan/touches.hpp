/// Where the points of a sweep touch memory: at their own places, or anywhere.
///
/// Where several sweeps have the same points, each point run by the same thread, what is touched at
/// own places alone concerns nobody else: it needs no barrier, and may lie in registers.
#pragma once

#include "gyre/plan/plan.hpp"

#include <map>
#include <vector>

namespace gyre::plan {

/// How a sweep uses one buffer.
struct Touch {
  bool loads = false;
  bool stores = false;
  /// Every access is at the index's own place: its coordinates are the loop indices, in order.
  bool own = true;
  /// Every store is one to an own place.
  bool stores_own = true;
  /// Some load is from an own place.
  bool loads_own = false;
};

std::map<ir::SymbolId, Touch> touches_of(const Sweep& sweep);

/// Whether `index` is the own place of each point.
bool is_own_place(const Sweep& sweep, const std::vector<ir::Expr>& index);

/// Bounds and steps read sizes and literals alone: the sweep has the same points each time.
bool has_fixed_points(const Plan& plan, const Sweep& sweep);

/// Both have the same bounds and step, whatever these read.
bool have_same_bounds(const ir::Range& a, const ir::Range& b);

/// Both have the same fixed points in the same order, so that own places are the same elements.
bool have_same_points(const Plan& plan, const Sweep& a, const Sweep& b);

}  // namespace gyre::plan
