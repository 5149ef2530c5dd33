/// A launch under way: waiting for it, watching it, ending it early.
///
/// Leaves out what is launched (executable.hpp) and what came of it (result.hpp).
#pragma once

#include "gyre/runtime/result.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

namespace gyre {

class LaunchState;

/// One launch. Any thread may call `ready`, `wait_for`, `cancel` and `progress`; the destructor
/// waits for the end, and logs a failure that nobody asked for. A launch on a caller's stream of a
/// GPU is not waited for: it goes on in the order of that stream.
///
/// A launch that became part of a captured stream speaks of the replays of the caller's graph:
/// `ready` tells whether one has ended, `result` is that of the last one that has (wait for the
/// graph first; it waits for nothing, and is a UsageError before the first), `cancel` ends the one
/// under way.
class [[nodiscard]] Launch {
 public:
  Launch(Launch&&) noexcept;
  Launch& operator=(Launch&&) noexcept;
  ~Launch();

  /// Waits for the end and tells how it came. Throws what the launch threw: a call's own exception,
  /// a failure of the machine. May be asked again.
  const Result& result();
  /// Whether `result` would return at once.
  bool ready() const;
  /// Waits for the end, but no longer than `time`; whether it has come. Who watches a launch waits
  /// by this: a sleep between two looks at `ready` would count as time of the launch.
  bool wait_for(std::chrono::milliseconds time) const;
  /// Ends the launch with Status::Cancelled before the next trip of a loop, if it comes to one.
  void cancel();
  /// The trips of all loops so far.
  std::uint64_t progress() const;

 private:
  friend class Executable;
  Launch(std::shared_ptr<LaunchState> state, std::thread thread);

  void wait();

  std::shared_ptr<LaunchState> state_;
  std::thread thread_;
};

}  // namespace gyre
