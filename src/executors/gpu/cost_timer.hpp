/// Times from which costs are worked out: by the host's clock, from launch to the end of the wait.
#pragma once

#include "gyre/executors/measure_costs.hpp"
#include "primitives.hpp"

#include <functional>

namespace gyre::executors {

/// The host's clock, in microseconds.
double now_us();

/// All times are in microseconds, and medians. Lives as long as its primitives.
class CostTimer {
 public:
  using Count = unsigned;

  CostTimer(const MeasureOptions& options, const Primitives& primitives)
      : options_(options), primitives_(primitives) {}

  /// The median of what `run` gives, the first time left out.
  double typical(const std::function<double()>& run) const;
  /// Until what `start` puts on the stream is over.
  double time_of(const std::function<void()>& start) const;
  /// What one more item costs: `time` of few and of many, so that what surrounds them falls out.
  /// Where noise is more than that all of them tell, with what surrounds them: no cost is 0.
  double per_item(const std::function<double(Count)>& time) const;

  cuda::GraphExec instantiate(const std::function<void(Chain&)>& fill) const;
  double time_of_graph(const std::function<void(Chain&)>& fill) const;
  /// What one more node costs in a graph of them: `add(chain, number)` adds one.
  double per_node(const std::function<void(Chain&, Count)>& add) const;
  /// A trip of a loop with `fill` in its body.
  double per_trip(const std::function<void(Chain&)>& fill) const;

  static double above(double whole, double part) { return whole > part ? whole - part : 0; }

 private:
  MeasureOptions options_;
  const Primitives& primitives_;
};

}  // namespace gyre::executors
