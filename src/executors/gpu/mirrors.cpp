#include "mirrors.hpp"

#include "device_module.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gyre::executors {
namespace {

// What is peeked at goes through pinned memory of so many bytes.
constexpr std::size_t peek_window = std::size_t{1} << 16;

}  // namespace

cuda::DeviceView Mirrors::add(ir::SymbolId buffer, ir::Intent intent, const ir::BufferView& view,
                              std::size_t bytes) {
  const auto kept = std::find_if(before_.begin(), before_.end(), [&](const Mirror& mirror) {
    return mirror.buffer == buffer && mirror.device.bytes() == bytes;
  });
  Mirror mirror{buffer,
                view.data,
                kept == before_.end() ? cuda::DeviceMemory(bytes) : std::move(kept->device),
                intent != ir::Intent::Out,
                intent != ir::Intent::In && view.edition == 0,
                view.edition,
                kept == before_.end() ? 0 : kept->copied_edition};
  // Now, since it might wait for the device while a launch is under way.
  if (mirror.stays() && peek_window_.bytes() == 0) peek_window_ = cuda::PinnedMemory(peek_window);
  mirrors_.push_back(std::move(mirror));
  return mirrors_.back().device.view();
}

bool Mirrors::copy_in(cuda::StreamView stream) const {
  bool copied = false;
  for (const Mirror& mirror : mirrors_) {
    if (!mirror.read || mirror.is_up_to_date()) continue;
    cuda::copy_to_device(mirror.device, mirror.host, mirror.device.bytes(), stream);
    mirror.copied_edition = mirror.edition;
    copied = true;
  }
  return copied;
}

void Mirrors::copy_out(cuda::StreamView stream) const {
  for (const Mirror& mirror : mirrors_) {
    if (!mirror.written) continue;
    cuda::copy_to_host(mirror.host, mirror.device, mirror.device.bytes(), stream);
  }
}

bool Mirrors::copies_each_time() const {
  return std::any_of(mirrors_.begin(), mirrors_.end(),
                     [](const Mirror& mirror) { return !mirror.is_steady(); });
}

bool Mirrors::peek(ir::SymbolId buffer, std::size_t offset, std::span<std::byte> to) const {
  const auto mirror = std::find_if(mirrors_.begin(), mirrors_.end(), [&](const Mirror& one) {
    return one.buffer == buffer && one.stays();
  });
  // A launch that will have a longer one has started, and has not come here yet.
  if (mirror == mirrors_.end() || offset + to.size() > mirror->device.bytes()) return false;
  while (!to.empty()) {
    const std::size_t bytes = std::min(to.size(), peek_window_.bytes());
    cuda::copy_to_host(peek_window_.data(), mirror->device.view().part(offset, bytes), bytes,
                       side_stream());
    side_stream().synchronize();
    std::memcpy(to.data(), peek_window_.data(), bytes);
    to = to.subspan(bytes);
    offset += bytes;
  }
  return true;
}

std::size_t Mirrors::bytes() const {
  std::size_t bytes = 0;
  for (const Mirror& mirror : mirrors_) bytes += mirror.device.bytes();
  return bytes;
}

}  // namespace gyre::executors
