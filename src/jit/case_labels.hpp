/// The labels of a switch, as device code finds the case that holds a selector.
///
/// Labels that run on, as those of most switches do, are compared with constants; a search in a
/// table would wait for memory once for every halving of it.
#pragma once

#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::jit {

/// Labels `first..last` that belong to case `arm`, or (`counts`) each to a case of its own, from
/// `arm` on.
struct LabelRun {
  std::int64_t first;
  std::int64_t last;
  std::int64_t arm;
  bool counts;
};

/// All labels, sorted, in as few runs as can be.
std::vector<LabelRun> label_runs(const plan::SwitchNode& node);

/// An expression: the number of the case that holds `selector`, else that of the default. `number`
/// is the switch's in the plan's order.
std::string emit_find_case(const plan::SwitchNode& node, std::uint32_t number,
                           const std::string& selector);

/// The declaration of the table that the expression needs; empty where it needs none.
std::string emit_labels(const plan::SwitchNode& node, std::uint32_t number);

}  // namespace gyre::jit
