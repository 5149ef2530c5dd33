/// What a Launch, whatever carries it, and the Executable share.
#pragma once

#include "gyre/executors/executor.hpp"
#include "gyre/runtime/result.hpp"
#include "gyre/runtime/trace.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>

namespace gyre {

/// One launch, from its start on. Any thread may ask.
class LaunchState {
 public:
  virtual ~LaunchState() = default;

  /// Waits for the end, and keeps what failed.
  virtual void wait() = 0;
  virtual bool ready() = 0;
  /// Waits no longer than `time`; whether the end has come.
  virtual bool wait_for(std::chrono::milliseconds time) = 0;
  virtual void cancel() = 0;
  virtual std::uint64_t progress() = 0;
  /// After the end: the result, or the exception again.
  virtual const Result& result() = 0;
  /// After the end: the exception that nobody has been told of, or null.
  virtual std::exception_ptr untold_failure() const { return nullptr; }
  /// Whether what is put on `stream` next comes behind it (executors::Flight). Where a host runs
  /// it, whether it is over now.
  virtual bool is_over_before(void* stream) {
    static_cast<void>(stream);
    return ready();
  }
  /// Whether a thread of the host runs it.
  virtual bool is_attended() const { return false; }
  /// Whether a Launch that goes out of scope waits for it.
  virtual bool is_waited_for() const { return true; }
  /// Whether it cannot end before this thread goes on, since a call of a launch before it, or of
  /// itself, runs here.
  virtual bool waits_for_this_thread() { return false; }
};

/// A launch that a thread of the host runs to its end.
class AttendedLaunch final : public LaunchState {
 public:
  /// Launches of one `order` run one after the other.
  explicit AttendedLaunch(const void* order) : order_(order) {}

  /// Whether this thread is in the midst of a launch of that order, as a call is that runs on the
  /// host. It would wait for itself if it waited for one.
  static bool is_run_here(const void* order);

  /// Runs to the end, after `previous` has ended. Keeps what it threw.
  void run(executors::Executor& executor, const ir::Bound& bound, ir::RunOptions options,
           Trace* trace, LaunchState* previous);

  /// Ends it without a run, since nobody can run it.
  void abandon() { finish(); }

  void wait() override;
  bool ready() override;
  bool wait_for(std::chrono::milliseconds time) override;
  void cancel() override { cancelled_.store(true, std::memory_order_relaxed); }
  std::uint64_t progress() override { return trips_.load(std::memory_order_relaxed); }
  const Result& result() override;
  std::exception_ptr untold_failure() const override { return told_ ? nullptr : failure_; }
  bool is_attended() const override { return true; }
  bool waits_for_this_thread() override { return is_run_here(order_) && !ready(); }

 private:
  void finish();

  const void* order_;
  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  bool done_ = false;
  std::atomic<bool> cancelled_ = false;
  std::atomic<std::uint64_t> trips_ = 0;
  std::optional<Result> result_;
  std::exception_ptr failure_;
  std::atomic<bool> told_ = false;
};

/// A launch that a device runs by itself. On a caller's stream it goes on when nobody holds it.
class FlownLaunch final : public LaunchState {
 public:
  FlownLaunch(std::shared_ptr<executors::Flight> flight, bool on_callers_stream)
      : flight_(std::move(flight)), on_callers_stream_(on_callers_stream) {}

  void wait() override;
  bool ready() override;
  bool wait_for(std::chrono::milliseconds time) override;
  void cancel() override { flight_->cancel(); }
  std::uint64_t progress() override { return flight_->progress(); }
  const Result& result() override;
  std::exception_ptr untold_failure() const override { return told_ ? nullptr : failure_; }
  bool is_waited_for() const override { return !on_callers_stream_; }
  bool is_over_before(void* stream) override;

 private:
  std::shared_ptr<executors::Flight> flight_;
  bool on_callers_stream_;
  std::mutex mutex_;
  std::optional<Result> result_;
  std::exception_ptr failure_;
  std::atomic<bool> told_ = false;
};

/// A run that is part of a captured stream: it runs whenever the caller's graph does.
class JoinedLaunch final : public LaunchState {
 public:
  explicit JoinedLaunch(std::shared_ptr<executors::Flight> flight) : flight_(std::move(flight)) {}

  void wait() override {}
  bool ready() override { return flight_->is_done(); }
  bool wait_for(std::chrono::milliseconds time) override;
  void cancel() override { flight_->cancel(); }
  std::uint64_t progress() override { return flight_->progress(); }
  /// Of the replay that ended last.
  const Result& result() override;
  bool is_waited_for() const override { return false; }

 private:
  std::shared_ptr<executors::Flight> flight_;
  std::mutex mutex_;
  std::optional<Result> result_;
};

}  // namespace gyre
