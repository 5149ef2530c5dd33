/// What a run may be told beside its arguments. Leaves out where it runs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace gyre::ir {

/// The trips after which a loop without a `limit` of its own ends the launch.
inline constexpr std::uint64_t default_max_trips = 1'000'000'000;

/// Work beside a run that is put in order with it on a device's streams, such as a copy of what the
/// run reads. Nobody is told where nothing runs on a GPU.
class OrderedWork {
 public:
  virtual ~OrderedWork() = default;
  /// A run is about to be put on `stream`: lets it wait for what it needs.
  virtual void before_run(void* stream) = 0;
  /// It stands there: what must not come before its end waits for what is on `stream` now.
  virtual void behind_run(void* stream) = 0;
};

struct RunOptions {
  /// Also detects broken promises of `independent` and `scatter`.
  bool checked = false;
  /// The limit, per entry, of every while and do that names none.
  std::uint64_t max_trips = default_max_trips;
  /// Read before each trip of a device-level loop; true ends the run with Status::Cancelled. Null:
  /// the run cannot be cancelled.
  const std::atomic<bool>* cancel = nullptr;
  /// The CUDA stream that the run takes its place on; null: one of the executor's own. Without
  /// meaning where nothing runs on a GPU.
  void* stream = nullptr;
  /// What the run is ordered with.
  std::vector<std::shared_ptr<OrderedWork>> ordered = {};
  /// The trips of all device-level loops so far; a GPU tells every few milliseconds. Null: nobody
  /// asks.
  std::atomic<std::uint64_t>* progress = nullptr;
  /// Called for each trip of a device-level loop, where it starts, with the loop's path and the
  /// number of the trip over all entries, from 0. An executor on a GPU calls it once the run has
  /// ended, and only for `traced` runs; then it says when the trip started, since the run did.
  std::function<void(std::string_view region, std::uint64_t trip,
                     std::optional<std::chrono::nanoseconds> at)>
      on_trip = {};
  /// Asks a GPU to keep its trips, at least the first million of them.
  bool traced = false;
};

}  // namespace gyre::ir
