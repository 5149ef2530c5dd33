#include "gyre/runtime/launch.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "launch_state.hpp"

#include <utility>

namespace gyre {

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
  if (!state_) return;
  if (thread_.joinable() && state_->waits_for_this_thread()) {
    // Dropped in a call that it comes behind. It goes on, and its executable waits for it.
    return thread_.detach();
  }
  if (thread_.joinable()) {
    thread_.join();
  } else if (state_->is_waited_for()) {
    state_->wait();
  } else {
    return;
  }
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
  if (state_->waits_for_this_thread()) {
    throw UsageError(
        "a call on the host would wait for itself: it asks for the result of a launch "
        "that comes behind its own; take the result behind the call");
  }
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
