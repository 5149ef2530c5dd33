/// What benches of solvers compare: one way to solve, gyre's or a rival's.
#pragma once

#include "support/device_system.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

/// A solve ends when ‖r‖ <= rtol ‖b‖ or after so many trips.
struct SolveLimits {
  double rtol = 0;
  int max_trips = 0;
};

struct SolveOutcome {
  int trips = 0;
  /// How often the host waited for the GPU between launch and result; where nobody counted, -1.
  std::int64_t host_syncs = -1;
};

class SolveWay {
 public:
  virtual ~SolveWay() = default;

  virtual std::string name() const = 0;
  /// The executor that gyre has chosen; empty for a rival.
  virtual std::string executor() const { return {}; }
  /// Whether it makes all `max_trips` trips, however small the residual gets.
  virtual bool knows_trips() const { return false; }

  /// Makes everything that a solve of this system needs and that it can be made ready once. Throws
  /// where this way cannot. The system outlives the solves.
  virtual void prepare(DeviceSystem& system, const SolveLimits& limits) = 0;
  /// Makes x zero.
  virtual void reset(DeviceSystem& system) { system.x.clear(); }
  /// From launch to result; this is what is timed.
  virtual SolveOutcome solve() = 0;
  /// Sees to it that the solution is in `system.x`.
  virtual void deliver(DeviceSystem& system) { static_cast<void>(system); }
};

using SolveWays = std::vector<std::unique_ptr<SolveWay>>;

}  // namespace gyre::bench
