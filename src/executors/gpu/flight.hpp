/// Runs that the device makes by itself: a launch on a stream, and a run that was made part of
/// somebody's capture.
#pragma once

#include "device_program.hpp"
#include "form.hpp"
#include "gyre/executors/executor.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

namespace gyre::executors {

/// One launch of a form.
class DeviceFlight final : public Flight {
 public:
  DeviceFlight(std::shared_ptr<Form> form, std::uint64_t launch);

  bool is_done() override;
  void cancel() override;
  std::uint64_t progress() override;
  ir::Outcome outcome() override;
  bool is_over_before(void* stream) override;

  /// Takes the outcome out of the queue, where another launch needs the place.
  void settle();

 private:
  using Clock = std::chrono::steady_clock;

  std::shared_ptr<Form> form_;
  std::uint64_t launch_;
  std::shared_ptr<const std::vector<ir::BufferView>> views_;
  std::mutex mutex_;
  std::optional<ir::Outcome> outcome_;
  Clock::time_point asked_ = Clock::now();
};

/// A run within a caller's graph, with memory of its own, which the graph keeps alive.
class JoinedFlight final : public Flight {
 public:
  explicit JoinedFlight(std::shared_ptr<DeviceProgram> program) : program_(std::move(program)) {}

  /// Whether one replay has ended.
  bool is_done() override;
  /// Ends the replay under way, if there is one.
  void cancel() override;
  /// Of the replay under way; 0 between replays.
  std::uint64_t progress() override;
  /// Of the replay that ended last; UsageError where none has.
  ir::Outcome outcome() override;

 private:
  std::shared_ptr<DeviceProgram> program_;
};

}  // namespace gyre::executors
