#include "launch_state.hpp"

#include "gyre/base/patience.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace gyre {
namespace {

// Looks until `is_there` or until `time` is over; whether it is there.
template <class Condition>
bool look_for(std::chrono::milliseconds time, const Condition& is_there) {
  const auto end = std::chrono::steady_clock::now() + time;
  for (Patience patience; !is_there(); patience.pause()) {
    if (std::chrono::steady_clock::now() >= end) return false;
  }
  return true;
}

// The orders of the launches that this thread runs, one within a call of another.
thread_local std::vector<const void*> orders_here;

}  // namespace

bool AttendedLaunch::is_run_here(const void* order) {
  return std::find(orders_here.begin(), orders_here.end(), order) != orders_here.end();
}

void AttendedLaunch::run(executors::Executor& executor, const ir::Bound& bound,
                         ir::RunOptions options, Trace* trace, LaunchState* previous) {
  if (previous != nullptr) previous->wait();
  orders_here.push_back(order_);
  options.cancel = &cancelled_;
  options.progress = &trips_;
  options.traced = trace != nullptr;
  if (trace != nullptr) {
    options.on_trip = [trace](std::string_view region, std::uint64_t trip,
                              std::optional<std::chrono::nanoseconds> at) {
      trace->add(region, trip, at);
    };
  }
  try {
    if (trace != nullptr) trace->start();
    ir::Outcome outcome = executor.run(bound, options);
    if (trace != nullptr) trace->stop(outcome.device_time, outcome.dropped_trips);
    result_.emplace(std::move(outcome));
  } catch (...) {
    failure_ = std::current_exception();
  }
  orders_here.pop_back();
  finish();
}

void AttendedLaunch::finish() {
  const std::lock_guard lock(mutex_);
  done_ = true;
  ended_.notify_all();
}

void AttendedLaunch::wait() {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return done_; });
}

bool AttendedLaunch::ready() {
  const std::lock_guard lock(mutex_);
  return done_;
}

bool AttendedLaunch::wait_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, time, [&] { return done_; });
}

const Result& AttendedLaunch::result() {
  if (failure_) {
    told_ = true;
    std::rethrow_exception(failure_);
  }
  return *result_;
}

bool FlownLaunch::ready() {
  const std::lock_guard lock(mutex_);
  if (failure_) return true;
  try {
    return flight_->is_done();
  } catch (...) {
    failure_ = std::current_exception();
    return true;
  }
}

bool FlownLaunch::is_over_before(void* stream) {
  // What has failed is over, and told to whoever asks for its result.
  return ready() || flight_->is_over_before(stream);
}

void FlownLaunch::wait() {
  for (Patience patience; !ready(); patience.pause()) {
  }
}

bool FlownLaunch::wait_for(std::chrono::milliseconds time) {
  return look_for(time, [&] { return ready(); });
}

const Result& FlownLaunch::result() {
  const std::lock_guard lock(mutex_);
  if (failure_) {
    told_ = true;
    std::rethrow_exception(failure_);
  }
  if (!result_) result_.emplace(flight_->outcome());
  return *result_;
}

bool JoinedLaunch::wait_for(std::chrono::milliseconds time) {
  return look_for(time, [&] { return ready(); });
}

const Result& JoinedLaunch::result() {
  const std::lock_guard lock(mutex_);
  result_.emplace(flight_->outcome());
  return *result_;
}

}  // namespace gyre
