/// What happened when during a launch: one event for each trip of a device-level loop.
///
/// On a GPU the device itself keeps the times, by its own clock, and nothing waits for the host: a
/// traced launch has its own kernels, made when the first one is asked for. Leaves out the values
/// of scalars: a program that wants its residuals kept stores them in a buffer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// The trips of one launch in their order. Filled by the thread that runs the launch, and read once
/// it has ended.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;

  /// Later trips are counted and not kept; a GPU keeps no more than these.
  static constexpr std::size_t default_capacity = std::size_t{1} << 20;

  struct Event {
    /// The loop's path.
    std::string_view region;
    /// Its number over all entries, from 0.
    std::uint64_t trip;
    /// From the launch's start, on a GPU from that of its first kernel, to the trip's.
    std::chrono::nanoseconds at;
  };

  explicit Trace(std::size_t capacity = default_capacity) : capacity_(capacity) {}

  /// Forgets what was kept and begins anew.
  void start();
  /// A trip that started `at`; now, where that is not said.
  void add(std::string_view region, std::uint64_t trip,
           std::optional<std::chrono::nanoseconds> at = {});
  /// The launch has ended `at` or now; as many trips as `dropped` did not even get here.
  void stop(std::optional<std::chrono::nanoseconds> at = {}, std::uint64_t dropped = 0);

  const std::vector<Event>& events() const { return events_; }
  std::uint64_t dropped() const { return dropped_; }

  /// For chrome://tracing and Perfetto: each trip a slice until the next of its loop, one row a
  /// loop.
  std::string to_chrome_json() const;
  /// `region,trip,microseconds`, one line a trip under a header.
  std::string to_csv() const;

 private:
  std::size_t capacity_;
  Clock::time_point start_;
  std::chrono::nanoseconds end_{0};
  std::uint64_t dropped_ = 0;
  std::vector<Event> events_;
  /// Keeps the paths alive for the events.
  std::map<std::string, std::size_t, std::less<>> regions_;
};

}  // namespace gyre
