#include "host_staging.hpp"

namespace gyre::executors {
namespace {

constexpr std::size_t alignment = 256;

std::size_t bytes_of(const ir::BufferView& view) {
  return static_cast<std::size_t>(view.element_count()) * ir::size_of(view.type);
}

cuda::DeviceView on_device(const ir::BufferView& view) {
  return {reinterpret_cast<CUdeviceptr>(view.data), bytes_of(view)};
}

}  // namespace

std::vector<std::size_t> lay_out_copies(std::span<const ir::BufferView> views) {
  std::vector<std::size_t> offsets = {0};
  for (const ir::BufferView& view : views) {
    offsets.push_back(offsets.back() + (bytes_of(view) + alignment - 1) / alignment * alignment);
  }
  return offsets;
}

std::vector<ir::BufferView> HostStaging::fetch(std::span<const ir::BufferView> device,
                                               std::span<const ir::Access> accesses,
                                               cuda::StreamView stream) {
  const std::vector<std::size_t> offsets = lay_out_copies(device);
  if (offsets.back() > memory_.bytes()) memory_ = cuda::PinnedMemory(offsets.back());
  std::vector<ir::BufferView> host(device.begin(), device.end());
  for (std::size_t i = 0; i < host.size(); ++i) {
    host[i].data = static_cast<std::byte*>(memory_.data()) + offsets[i];
    const cuda::DeviceView source = on_device(device[i]);
    if (accesses[i] == ir::Access::Write || source.bytes == 0) continue;
    cuda::copy_to_host(host[i].data, source, source.bytes, stream);
  }
  stream.synchronize();
  return host;
}

void HostStaging::put_back(std::span<const ir::BufferView> host,
                           std::span<const ir::BufferView> device,
                           std::span<const ir::Access> accesses, cuda::StreamView stream) const {
  for (std::size_t i = 0; i < host.size(); ++i) {
    const cuda::DeviceView target = on_device(device[i]);
    if (accesses[i] == ir::Access::Read || target.bytes == 0) continue;
    cuda::copy_to_device(target, host[i].data, target.bytes, stream);
  }
  stream.synchronize();
}

}  // namespace gyre::executors
