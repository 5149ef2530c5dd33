#include "form.hpp"

#include "flight.hpp"
#include "gyre/plan/walk.hpp"

#include <utility>

namespace gyre::executors {

Form::Form(std::shared_ptr<const plan::Plan> plan, const jit::EmitOptions& options,
           HostBranchOptions::Flag flag, std::shared_ptr<DeviceArena> arena)
    : module_(std::make_shared<const DeviceModule>(std::move(plan), options)),
      program_(module_, jit::queue_places, std::move(arena)),
      flags_(flag, module_->emitted().conditional_count),
      host_words_(module_->emitted().conditional_count) {
  plan::for_each_node(module_->plan().body, [&](const plan::Node& node) {
    if (std::holds_alternative<plan::RunCall>(node) && !recording_) {
      // Work that a call puts on the legacy stream by mistake is noticed on such a one.
      recording_.emplace(cuda::Stream::Priority::Normal, cuda::Stream::Legacy::Ordered);
    }
  });
  for (std::uint32_t i = 0; i < host_words_.size(); ++i) {
    if (module_->emitted().host_decides[i]) host_words_[i] = flags_.address(i);
  }
}

Form::~Form() {
  if (launches_ != 0) behind(launches_).drain();
}

void Form::bind(const ir::Bound& bound) {
  const auto change = program_.bind(bound, [this] { wait_for_all(); });
  if (change == DeviceProgram::Change::Nothing) return;
  prepared_.clear();
  try {
    for (auto& [first, segment] : segments_) segment.rebind();
  } catch (...) {
    // A call may refuse to be recorded again. What has the old addresses must never run.
    wait_for_all();
    segments_.clear();
    throw;
  }
}

const DeviceProgram::Prepared& Form::prepared(const jit::Step& step) {
  const auto found = prepared_.find(&step);
  if (found != prepared_.end()) return found->second;
  return prepared_.emplace(&step, program_.prepare(step, host_words_)).first->second;
}

Segment& Form::segment(std::span<const jit::Step> steps) {
  const auto found = segments_.find(&steps.front());
  if (found != segments_.end()) return found->second;
  Segment& built = segments_.try_emplace(&steps.front(), program_, steps, recording(), host_words_)
                       .first->second;
  built.upload(stream_);
  return built;
}

std::uint64_t Form::next_launch() {
  const std::uint64_t launch = launches_ + 1;
  Place& free = place(launch);
  // One executable's launches run one after the other: where the last one has told its result,
  // those before it are over.
  const bool is_over = launch <= jit::queue_places || program_.has_result(launch - 1);
  if (!is_over) free.behind.synchronize();
  // Whoever wants the outcome of the launch that was here takes it now.
  if (const auto flight = free.flight.lock()) flight->settle();
  free.flight.reset();
  return launch;
}

void Form::launched(std::uint64_t launch, cuda::StreamView stream,
                    const std::shared_ptr<DeviceFlight>& flight) {
  launches_ = launch;
  place(launch).behind.record(stream);
  place(launch).flight = flight;
}

void Form::give_up(cuda::StreamView stream) noexcept {
  stream.drain();
  flags_.forget();
}

void Form::wait_for_all() const {
  if (launches_ != 0) behind(launches_).synchronize();
}

}  // namespace gyre::executors
