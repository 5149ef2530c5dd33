/// What a Launch, the thread that runs it and the Executable share.
#pragma once

#include "gyre/executors/executor.hpp"
#include "gyre/runtime/result.hpp"
#include "gyre/runtime/trace.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>

namespace gyre {

class LaunchState {
 public:
  /// Runs to the end, after `previous` has ended. Keeps what it threw.
  void run(executors::Executor& executor, const ir::Bound& bound, ir::RunOptions options,
           Trace* trace, LaunchState* previous);

  void wait() const;
  bool ready() const;
  /// Waits no longer than `time`; whether the end has come.
  bool wait_for(std::chrono::milliseconds time) const;
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  std::uint64_t progress() const { return trips_.load(std::memory_order_relaxed); }

  /// After the end: the result, or the exception again.
  const Result& result();
  /// After the end: the exception that nobody has been told of, or null.
  std::exception_ptr untold_failure() const { return told_ ? nullptr : failure_; }

 private:
  void finish();

  mutable std::mutex mutex_;
  mutable std::condition_variable ended_;
  bool done_ = false;
  std::atomic<bool> cancelled_ = false;
  std::atomic<std::uint64_t> trips_ = 0;
  std::optional<Result> result_;
  std::exception_ptr failure_;
  bool told_ = false;
};

}  // namespace gyre
