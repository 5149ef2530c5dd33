#include "gyre/cuda/context.hpp"

#include "gyre/cuda/check.hpp"

#include <utility>

namespace gyre::cuda {

Context::Context(int ordinal) : ordinal_(ordinal) {
  GYRE_CUDA_CALL(cuDeviceGet(&device_, ordinal));
  GYRE_CUDA_CALL(cuDevicePrimaryCtxRetain(&context_, device_));
}

Context::~Context() {
  release();
}

Context::Context(Context&& other) noexcept
    : context_(std::exchange(other.context_, nullptr)),
      device_(other.device_),
      ordinal_(other.ordinal_) {}

Context& Context::operator=(Context&& other) noexcept {
  if (this != &other) {
    release();
    context_ = std::exchange(other.context_, nullptr);
    device_ = other.device_;
    ordinal_ = other.ordinal_;
  }
  return *this;
}

void Context::release() noexcept {
  if (context_ == nullptr) return;
  report_failed_release(driver()->cuDevicePrimaryCtxRelease(device_), "cuDevicePrimaryCtxRelease");
  context_ = nullptr;
}

CurrentContext::CurrentContext(CUcontext context) {
  GYRE_CUDA_CALL(cuCtxPushCurrent(context));
}

CurrentContext::~CurrentContext() {
  CUcontext popped = nullptr;
  report_failed_release(driver()->cuCtxPopCurrent(&popped), "cuCtxPopCurrent");
}

CUcontext current_context() {
  CUcontext context = nullptr;
  GYRE_CUDA_CALL(cuCtxGetCurrent(&context));
  return context;
}

}  // namespace gyre::cuda
