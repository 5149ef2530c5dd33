/// How a run ended and what it counted: a value, never an exception.
#pragma once

#include "gyre/ir/value.hpp"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::ir {

enum class Status { Completed, Stopped, TripLimit, Cancelled, Fault };
std::string_view name_of(Status status);

enum class FaultKind {
  None,
  /// An index outside its buffer.
  OutOfBounds,
  /// The step of a `for` or a range was 0.
  ZeroStep,
  /// Two indices of a foreach stored to one place, or one read what another wrote.
  BrokenPromise,
};
std::string_view name_of(FaultKind kind);

struct Outcome {
  Status status = Status::Completed;
  /// The label and code of the `stop` that ended the run.
  std::string label;
  std::int64_t code = 0;
  /// The region that reached its trip limit or faulted.
  std::string region;
  FaultKind fault = FaultKind::None;
  /// For a fault, what it was: `x[12] is outside f64[10]`.
  std::string detail;

  /// Trips of each device-level loop over all its entries, and how often each arm ran (then, else;
  /// the cases in order, then default), by region path. Regions that never ran hold zeros.
  std::map<std::string, std::uint64_t> trips;
  std::map<std::string, std::vector<std::uint64_t>> arms;
  /// The final values of `out` and `inout` scalars.
  std::map<std::string, Value> scalars;
  /// How often the host waited for the device between launch and result.
  std::uint64_t host_syncs = 0;
  /// Of a traced run on a GPU: how long it took there, and how many of its last trips were not
  /// kept.
  std::optional<std::chrono::nanoseconds> device_time;
  std::uint64_t dropped_trips = 0;
};

/// The trips of all loops together.
std::uint64_t all_trips(const Outcome& outcome);

/// `completed`, `stopped "converged" (code 3)`, `trip_limit in cg/while#0`, …
std::string describe(const Outcome& outcome);

}  // namespace gyre::ir
