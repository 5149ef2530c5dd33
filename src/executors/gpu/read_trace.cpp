#include "read_trace.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace gyre::executors {
namespace {

std::chrono::nanoseconds between(std::uint64_t from, std::uint64_t to) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(to - from));
}

}  // namespace

void read_trace(const DeviceProgram& program, const ir::RunOptions& options, ir::Outcome& outcome) {
  jit::TraceHead head;
  program.read_log(0, &head, sizeof(head));
  std::vector<jit::TracedTrip> trips(std::min(head.trips, jit::trace_capacity));
  program.read_log(sizeof(head), trips.data(), trips.size() * sizeof(jit::TracedTrip));
  const jit::Names& names = program.module().emitted().names;
  for (const jit::TracedTrip& trip : trips) {
    if (!options.on_trip) break;
    options.on_trip(names[static_cast<std::uint32_t>(trip.region)], trip.trip,
                    between(head.begun, trip.at));
  }
  outcome.device_time = between(head.begun, head.ended);
  outcome.dropped_trips = head.trips - trips.size();
}

}  // namespace gyre::executors
