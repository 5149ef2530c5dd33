/// What happened when during a launch: one event for each trip of a device-level loop.
///
/// Leaves out the values of scalars: a program that wants its residuals kept stores them in a
/// buffer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gyre {

/// The trips of one launch in their order. Filled by the thread that runs the launch, and read once
/// it has ended.
class Trace {
 public:
  using Clock = std::chrono::steady_clock;

  /// Later trips are counted and not kept.
  static constexpr std::size_t default_capacity = std::size_t{1} << 20;

  struct Event {
    /// The loop's path.
    std::string_view region;
    /// Its number over all entries, from 0.
    std::uint64_t trip;
    /// From the launch's start to the trip's.
    std::chrono::nanoseconds at;
  };

  explicit Trace(std::size_t capacity = default_capacity) : capacity_(capacity) {}

  /// Forgets what was kept and begins anew.
  void start();
  void add(std::string_view region, std::uint64_t trip);
  void stop();

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
