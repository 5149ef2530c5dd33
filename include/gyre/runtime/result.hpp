/// How a launch ended and what it counted, by the names of the program.
#pragma once

#include "gyre/ir/outcome.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gyre {

/// The outcome of one launch: a value of its own that later launches leave alone.
///
/// A region goes by its path (`cg/while#0`). Asking for what the program has not is a UsageError
/// that names what is near.
class Result {
 public:
  explicit Result(ir::Outcome outcome) : outcome_(std::move(outcome)) {}

  ir::Status status() const { return outcome_.status; }
  bool completed() const { return outcome_.status == ir::Status::Completed; }
  /// Of the `stop` that ended the launch; empty and 0 otherwise.
  const std::string& label() const { return outcome_.label; }
  std::int64_t code() const { return outcome_.code; }
  /// The region whose limit was reached or that faulted.
  const std::string& region() const { return outcome_.region; }

  /// Trips of a loop over all its entries.
  std::uint64_t trips(std::string_view region) const;
  /// Trips of every loop of the program together.
  std::uint64_t total_trips() const;
  /// How often each arm ran: then and else, or the cases in order and default.
  const std::vector<std::uint64_t>& arms(std::string_view region) const;

  /// The final value of an `out` or `inout` scalar, as the type it has or one it widens to.
  template <class T>
  T get(std::string_view scalar) const {
    return widened(scalar, ir::type_of<T>).template as<T>();
  }
  const ir::Value& value(std::string_view scalar) const;

  /// How often the host waited for the device between launch and result.
  std::uint64_t host_syncs() const { return outcome_.host_syncs; }
  /// `completed`, `trip_limit in cg/while#0`, …
  std::string describe() const { return ir::describe(outcome_); }
  const ir::Outcome& outcome() const { return outcome_; }

 private:
  ir::Value widened(std::string_view scalar, ir::ScalarType type) const;

  ir::Outcome outcome_;
};

}  // namespace gyre
