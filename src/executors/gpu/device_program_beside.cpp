// What the host does while a launch runs, on a stream beside it: it ends the launch, and asks how
// far it has come.
#include "device_program.hpp"
#include "gyre/base/error.hpp"

#include <cstddef>
#include <cstring>
#include <mutex>

namespace gyre::executors {

void DeviceProgram::cancel(std::uint64_t launch) const {
  const std::size_t place = (launch - 1) % jit::queue_places * sizeof(std::uint32_t);
  auto* word = static_cast<char*>(cancel_words_.data()) + place;
  const auto low = static_cast<std::uint32_t>(launch);
  std::memcpy(word, &low, sizeof(low));
  // An arm of a fork looks at its own head.
  for (std::uint32_t arm = 0; arm <= module_->emitted().layout.arms(); ++arm) {
    const std::size_t control = module_->emitted().layout.head(arm);
    cuda::copy_to_device(
        state_.view().part(control + offsetof(jit::Control, cancel) + place, sizeof(low)), word,
        sizeof(low), side_stream());
  }
}

void DeviceProgram::read_log(std::size_t offset, void* to, std::size_t bytes) const {
  if (bytes == 0) return;
  const std::size_t log = module_->emitted().layout.trace();
  GYRE_CHECK(log != 0, "a program without a log of trips is asked for it");
  cuda::copy_to_host(to, state_part(log + offset, bytes), bytes, side_stream());
  side_stream().synchronize();
}

DeviceProgram::Progress DeviceProgram::progress() const {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const jit::StateLayout& layout = module_->emitted().layout;
  auto* words = static_cast<std::uint64_t*>(side_words_.data());
  const std::size_t counts = layout.counter_count() * std::size_t{8};
  cuda::copy_to_host(words, state_part(offsetof(jit::Control, launch), 8), 8, side_stream());
  cuda::copy_to_host(words + 1, state_part(layout.first_counter(), counts), counts, side_stream());
  side_stream().synchronize();
  Progress progress{0, words[0]};
  for (const plan::Plan::Region& region : plan().regions) {
    if (region.arms != 0) continue;
    progress.trips += words[1 + (layout.counter(region.path) - layout.first_counter()) / 8];
  }
  return progress;
}

}  // namespace gyre::executors
