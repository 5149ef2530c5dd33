/// What benches of conjugate gradients compare: one way to run them, gyre's or a rival's.
#pragma once

#include "support/cg_system.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gyre::bench {

/// A solve ends when ‖r‖ <= rtol ‖b‖ or after so many trips.
struct CgLimits {
  double rtol = 0;
  int max_trips = 0;
};

struct CgOutcome {
  int trips = 0;
  /// How often the host waited for the GPU between launch and result; where nobody counted, -1.
  std::int64_t host_syncs = -1;
};

class CgWay {
 public:
  virtual ~CgWay() = default;

  virtual std::string name() const = 0;
  /// The executor that gyre has chosen; empty for a rival.
  virtual std::string executor() const { return {}; }
  /// Whether it makes all `max_trips` trips, however small the residual gets.
  virtual bool knows_trips() const { return false; }

  /// Makes everything that a solve of this system needs and that it can be made ready once. Throws
  /// where this way cannot. The system outlives the solves.
  virtual void prepare(CgSystem& system, const CgLimits& limits) = 0;
  /// Makes x zero.
  virtual void reset(CgSystem& system) { system.x.clear(); }
  /// From launch to result; this is what is timed.
  virtual CgOutcome solve() = 0;
  /// Sees to it that the solution is in `system.x`.
  virtual void deliver(CgSystem& system) { static_cast<void>(system); }
};

using CgWays = std::vector<std::unique_ptr<CgWay>>;

}  // namespace gyre::bench
