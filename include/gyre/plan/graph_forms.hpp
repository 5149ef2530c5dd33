/// The forms that a graph gives the loops and branches of a plan (choices.hpp), and what they cost:
/// made once for a plan whose trips are priced.
#pragma once

#include "gyre/plan/choices.hpp"
#include "gyre/plan/cost_model.hpp"
#include "gyre/plan/cost_table.hpp"
#include "gyre/plan/plan.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace gyre::plan {

/// How many trips an entry of a loop makes, for one number: what the program says, else the middle
/// one of those that it may make, by the logarithm.
double usual_trips(const WhileNode& loop);

/// Refers to the plan's nodes and to the table, which outlive it.
class GraphForms {
 public:
  GraphForms(const Plan& plan, const CostTable& table);

  const CostTable& table() const { return table_; }

  /// Whether the loop's buffers change places, so that the copy at its end is no kernel.
  bool swaps(const WhileNode& loop) const;
  /// Microseconds that one entry of the loop adds in its usual trips, and that the branch adds.
  double price_of(const WhileNode& loop) const;
  double price_of(const IfNode& choice) const;
  double price_of(const SwitchNode& choice) const;

 private:
  LoopForm form_of(const WhileNode& loop) const;
  double branch(const void* node, const std::vector<std::size_t>& arms) const;

  const CostTable& table_;
  Choices choices_;
  std::map<const void*, std::uint32_t> numbers_;
};

}  // namespace gyre::plan
