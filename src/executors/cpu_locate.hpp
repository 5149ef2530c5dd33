/// Where the lanes of an access stand in its buffer. Leaves out what is done there.
#pragma once

#include "cpu_machine.hpp"

namespace gyre::executors::cpu {

/// How an access is watched in checked mode.
enum class Watched : std::uint8_t { Load, Store, Nothing };

/// The element of each lane, in bounds: first + lane * step, or a list of one a lane.
struct Location {
  std::int64_t first = 0;
  std::int64_t step = 0;
  /// Null: the sequence.
  const std::int64_t* offsets = nullptr;

  std::int64_t operator[](int lane) const {
    return offsets == nullptr ? first + lane * step : offsets[lane];
  }
};

/// Locates `access` for `lanes`. Lanes outside the buffer (or, watched, breaking a promise) fail
/// and are taken out of `lanes`.
Location locate(Machine& machine, Context& context, const Access& access, Watched watched,
                Lanes& lanes);

/// Lets `lane` fail if its index lies outside the buffer; whether it does.
bool fails_outside(Machine& machine, Context& context, const Access& access, int lane);

}  // namespace gyre::executors::cpu
