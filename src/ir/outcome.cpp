#include "gyre/ir/outcome.hpp"

#include <array>

namespace gyre::ir {

std::string_view name_of(Status status) {
  static constexpr std::array<std::string_view, 5> names = {"completed", "stopped", "trip_limit",
                                                            "cancelled", "fault"};
  return names.at(static_cast<std::size_t>(status));
}

std::string_view name_of(FaultKind kind) {
  static constexpr std::array<std::string_view, 4> names = {"none", "out_of_bounds", "zero_step",
                                                            "broken_promise"};
  return names.at(static_cast<std::size_t>(kind));
}

std::uint64_t all_trips(const Outcome& outcome) {
  std::uint64_t trips = 0;
  for (const auto& [region, count] : outcome.trips) trips += count;
  return trips;
}

std::string describe(const Outcome& outcome) {
  std::string text(name_of(outcome.status));
  switch (outcome.status) {
    case Status::Completed:
    case Status::Cancelled: break;
    case Status::Stopped:
      text += " \"" + outcome.label + "\"";
      if (outcome.code != 0) text += " (code " + std::to_string(outcome.code) + ")";
      break;
    case Status::TripLimit: text += " in " + outcome.region; break;
    case Status::Fault:
      text += " " + std::string(name_of(outcome.fault)) + " in " + outcome.region;
      if (!outcome.detail.empty()) text += ": " + outcome.detail;
      break;
  }
  return text;
}

}  // namespace gyre::ir
