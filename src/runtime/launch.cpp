#include "gyre/runtime/launch.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "launch_state.hpp"

#include <utility>

namespace gyre {

void LaunchState::run(executors::Executor& executor, const ir::Bound& bound, ir::RunOptions options,
                      Trace* trace, LaunchState* previous) {
  if (previous != nullptr) previous->wait();
  options.cancel = &cancelled_;
  options.on_trip = [this, trace](std::string_view region, std::uint64_t trip) {
    trips_.fetch_add(1, std::memory_order_relaxed);
    if (trace != nullptr) trace->add(region, trip);
  };
  try {
    if (trace != nullptr) trace->start();
    result_.emplace(executor.run(bound, options));
    if (trace != nullptr) trace->stop();
  } catch (...) {
    failure_ = std::current_exception();
  }
  finish();
}

void LaunchState::finish() {
  const std::lock_guard lock(mutex_);
  done_ = true;
  ended_.notify_all();
}

void LaunchState::wait() const {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, [&] { return done_; });
}

bool LaunchState::ready() const {
  const std::lock_guard lock(mutex_);
  return done_;
}

bool LaunchState::wait_for(std::chrono::milliseconds time) const {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, time, [&] { return done_; });
}

const Result& LaunchState::result() {
  if (failure_) {
    told_ = true;
    std::rethrow_exception(failure_);
  }
  return *result_;
}

Launch::Launch(std::shared_ptr<LaunchState> state, std::thread thread)
    : state_(std::move(state)), thread_(std::move(thread)) {}

Launch::Launch(Launch&&) noexcept = default;

Launch& Launch::operator=(Launch&& other) noexcept {
  if (this != &other) {
    wait();
    state_ = std::move(other.state_);
    thread_ = std::move(other.thread_);
  }
  return *this;
}

Launch::~Launch() {
  wait();
}

void Launch::wait() {
  if (!thread_.joinable()) return;
  thread_.join();
  const auto failure = state_->untold_failure();
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    log::error(std::string("a launch whose result nobody took failed: ") + error.what());
  } catch (...) {
    log::error("a launch whose result nobody took failed");
  }
}

const Result& Launch::result() {
  if (!state_) throw UsageError("a launch that was moved away has no result");
  state_->wait();
  return state_->result();
}

bool Launch::ready() const {
  return state_ && state_->ready();
}

bool Launch::wait_for(std::chrono::milliseconds time) const {
  return state_ && state_->wait_for(time);
}

void Launch::cancel() {
  if (state_) state_->cancel();
}

std::uint64_t Launch::progress() const {
  return state_ ? state_->progress() : 0;
}

}  // namespace gyre
