/// What the trips of one loop take in a run, by who runs them: sizes and device brought to
/// plan/trip_price.hpp.
#pragma once

#include "gyre/cuda/device_facts.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/jit/resident_shape.hpp"
#include "gyre/plan/accesses.hpp"
#include "gyre/plan/graph_forms.hpp"
#include "gyre/plan/plan.hpp"
#include "gyre/plan/trip_price.hpp"

#include <map>

namespace gyre::executors {

class TripPrices {
 public:
  TripPrices(const plan::Plan& plan, const plan::WhileNode& loop, const ir::Bound& bound,
             const cuda::DeviceFacts& device, const plan::GraphForms& forms);

  /// As kernels of a graph, in which inner loops may have runners of their own.
  double of_graph(const plan::InnerPrice& inner_price) const;
  /// By a crew of that shape, for sweeps of at most so many points. Its threads run alike: they
  /// take as long as if each owned all the points that it may.
  double of(const jit::ResidentShape& shape, long long points) const;

 private:
  plan::TripPlace place(plan::Runner runner) const;
  std::map<ir::SymbolId, double> parts_in_rows(const jit::ResidentShape& shape) const;

  const plan::Plan& plan_;
  const plan::WhileNode& loop_;
  const ir::Bound& bound_;
  const cuda::DeviceFacts& device_;
  const plan::GraphForms& forms_;
  plan::TripFacts facts_;
  std::map<ir::SymbolId, double> bytes_;
  plan::Symbols stored_;
};

/// Who a crew is to those who look at prices.
plan::Runner runner_of(jit::Crew crew);

}  // namespace gyre::executors
