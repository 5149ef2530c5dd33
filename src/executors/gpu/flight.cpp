#include "flight.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/patience.hpp"
#include "gyre/cuda/context.hpp"
#include "gyre/cuda/event.hpp"
#include "read_outcome.hpp"

#include <cstddef>
#include <utility>

namespace gyre::executors {
namespace {

/// How often a waiting host asks whether the device has failed.
constexpr std::chrono::milliseconds between_questions{2};

ir::Outcome outcome_of(const DeviceProgram& program, std::uint64_t launch,
                       const std::vector<ir::BufferView>& views) {
  return read_outcome(program.module(), program.mailbox().result(launch), program.outputs(), views);
}

}  // namespace

DeviceFlight::DeviceFlight(std::shared_ptr<Form> form, std::uint64_t launch)
    : form_(std::move(form)), launch_(launch), views_(form_->program().views()) {}

bool DeviceFlight::is_done() {
  const std::lock_guard lock(mutex_);
  if (outcome_ || form_->program().has_result(launch_)) return true;
  // A failed kernel never writes its word: ask the device now and then.
  if (Clock::now() - asked_ < between_questions) return false;
  const cuda::CurrentContext current(device_context());
  const bool over = form_->behind(launch_).is_done();
  asked_ = Clock::now();
  if (!over || form_->program().has_result(launch_)) return over;
  form_->behind(launch_).synchronize();
  GYRE_CHECK(form_->program().has_result(launch_), "a launch ended without a result");
  return true;
}

void DeviceFlight::cancel() {
  const cuda::CurrentContext current(device_context());
  form_->program().cancel(launch_);
}

std::uint64_t DeviceFlight::progress() {
  const std::lock_guard lock(mutex_);
  if (outcome_ || form_->program().has_result(launch_)) {
    if (!outcome_) outcome_ = outcome_of(form_->program(), launch_, *views_);
    return ir::all_trips(*outcome_);
  }
  const cuda::CurrentContext current(device_context());
  const auto progress = form_->program().progress();
  // Before this launch began, the counts are those of another.
  return progress.launch == launch_ ? progress.trips : 0;
}

ir::Outcome DeviceFlight::outcome() {
  settle();
  const std::lock_guard lock(mutex_);
  return *outcome_;
}

bool DeviceFlight::is_over_before(void* stream) {
  if (is_done() || stream == nullptr) return is_done();
  const cuda::CurrentContext current(device_context());
  // Where the stream waits for this launch, so does a mark that is put there now.
  const cuda::Event mark;
  mark.record(static_cast<CUstream>(stream));
  for (Patience patience; !mark.is_done(); patience.pause()) {
    if (is_done()) return true;
  }
  return is_done();
}

void DeviceFlight::settle() {
  const std::lock_guard lock(mutex_);
  if (outcome_) return;
  GYRE_CHECK(form_->program().has_result(launch_),
             "the outcome of a launch under way is asked for");
  outcome_ = outcome_of(form_->program(), launch_, *views_);
}

bool JoinedFlight::is_done() {
  return program_->any_result() != 0;
}

void JoinedFlight::cancel() {
  const cuda::CurrentContext current(device_context());
  program_->cancel(program_->progress().launch);
}

std::uint64_t JoinedFlight::progress() {
  const cuda::CurrentContext current(device_context());
  const auto progress = program_->progress();
  return program_->has_result(progress.launch) ? 0 : progress.trips;
}

ir::Outcome JoinedFlight::outcome() {
  if (!is_done()) {
    throw UsageError("program '" + program_->plan().name +
                     "' is part of a captured graph that has not run yet; launch the graph, wait "
                     "for it, and ask then");
  }
  return outcome_of(*program_, program_->any_result(), *program_->views());
}

}  // namespace gyre::executors
