#include "device_input.hpp"

#include "device_module.hpp"
#include "gyre/cuda/context.hpp"

namespace gyre::executors {
namespace {

cuda::StreamView view_of(void* stream) {
  return static_cast<CUstream>(stream);
}

// No launch ever stands here. One for all inputs: few streams run at once on a device.
cuda::StreamView copies() {
  static const auto* stream = new cuda::Stream;
  return *stream;
}

}  // namespace

DeviceInput::DeviceInput(std::size_t bytes) : memory_(bytes), values_(bytes) {}

DeviceInput::~DeviceInput() {
  copied_.drain();
  read_.drain();
}

std::span<std::byte> DeviceInput::values() {
  const cuda::CurrentContext current(device_context());
  copied_.synchronize();
  return {static_cast<std::byte*>(values_.data()), values_.bytes()};
}

void DeviceInput::send() {
  if (memory_.bytes() == 0) return;
  const cuda::CurrentContext current(device_context());
  copies().wait(read_.get());
  cuda::copy_to_device(memory_, values_.data(), values_.bytes(), copies());
  copied_.record(copies());
}

void DeviceInput::before_run(void* stream) {
  view_of(stream).wait(copied_.get());
}

void DeviceInput::behind_run(void* stream) {
  read_.record(view_of(stream));
}

}  // namespace gyre::executors
