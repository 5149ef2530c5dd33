#include "decision_flags.hpp"

namespace gyre::executors {
namespace {

/// No decision has this value.
constexpr std::uint32_t undecided = 0xffffffffu;

}  // namespace

DecisionFlags::DecisionFlags(HostBranchOptions::Flag flag, std::uint32_t count)
    : flag_(flag), count_(count) {
  const std::size_t bytes = (count + 1) * sizeof(std::uint32_t);
  if (flag == HostBranchOptions::Flag::Polled) {
    pinned_ = cuda::PinnedMemory(bytes, cuda::PinnedMemory::Access::Mapped);
  } else {
    device_ = cuda::DeviceMemory(bytes);
    pinned_ = cuda::PinnedMemory(bytes);
  }
  forget();
}

void DecisionFlags::forget() noexcept {
  for (std::uint32_t i = 0; i < count_; ++i) *word(i) = undecided;
}

CUdeviceptr DecisionFlags::address(std::uint32_t number) const {
  const bool polled = flag_ == HostBranchOptions::Flag::Polled;
  return (polled ? pinned_.device_address() : device_.address()) + number * sizeof(std::uint32_t);
}

std::uint32_t DecisionFlags::read(std::uint32_t number, cuda::StreamView stream,
                                  const Attention& attention) {
  const cuda::DeviceView place{address(number), sizeof(std::uint32_t)};
  std::uint32_t value = undecided;
  switch (flag_) {
    case HostBranchOptions::Flag::Pageable:
      cuda::copy_to_host(&value, place, sizeof(value), stream);
      stream.synchronize();
      return value;
    case HostBranchOptions::Flag::Pinned:
      cuda::copy_to_host(const_cast<std::uint32_t*>(word(number)), place, sizeof(value), stream);
      stream.synchronize();
      return *word(number);
    case HostBranchOptions::Flag::Polled: break;
  }
  attention.wait(stream, [&] { return *word(number) != undecided; });
  value = *word(number);
  *word(number) = undecided;
  return value;
}

}  // namespace gyre::executors
