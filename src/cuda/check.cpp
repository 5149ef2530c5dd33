#include "gyre/cuda/check.hpp"

#include "driver_log.hpp"
#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/cuda/capture_failure.hpp"

#include <utility>
#include <vector>

namespace gyre::cuda {
namespace {

std::vector<std::string>& activities() {
  thread_local std::vector<std::string> stack;
  return stack;
}

std::string hint_for(CUresult result) {
  if (const CaptureFault* fault = find_capture_fault(result)) {
    return "the captured work " + std::string(fault->does) + "; " + std::string(fault->instead);
  }
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "the GPU has no memory left for this; nvidia-smi shows who holds it";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
    case CUDA_ERROR_INVALID_IMAGE:
      return "the kernels were compiled for another GPU or by an NVRTC newer than the driver; "
             "GYRE_NVRTC names another one, and GYRE_CACHE_DIR the cache to clear";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
      return "a kernel left its memory, and the process cannot use this GPU any more; checked mode "
             "or compute-sanitizer finds the access";
    case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
      return "the kernel needs more registers or shared memory than a block of this size has";
    case CUDA_ERROR_NOT_SUPPORTED:
      return "the driver or the GPU cannot do this; conditional nodes need a driver of CUDA 12.4";
    default: return {};
  }
}

/// The function's name in front of its arguments.
std::string function_of(std::string_view call) {
  return std::string(call.substr(0, call.find('(')));
}

std::string message_for(CUresult result, const char* call) {
  std::string message;
  for (const std::string& activity : activities()) message += activity + ": ";
  message += function_of(call) + " failed with " + describe(result);
  if (const std::string hint = hint_for(result); !hint.empty()) {
    message += " (hint: " + hint + ")";
  }
  return message;
}

}  // namespace

const Driver& loaded_driver() {
  const Driver* found = driver();
  if (found == nullptr) throw EnvironmentError(why_no_driver());
  listen_to_driver_log(*found);
  forget_driver_log();
  return *found;
}

void check(CUresult result, const char* call) {
  if (result != CUDA_SUCCESS) throw CudaError(result, message_for(result, call));
}

void report_failed_release(CUresult result, const char* call) noexcept {
  // At exit the driver may be gone before our last owner: then there is nothing left to release.
  if (result == CUDA_SUCCESS || result == CUDA_ERROR_DEINITIALIZED) return;
  try {
    log::warn(message_for(result, call));
  } catch (...) {
    // A destructor has nobody to tell.
  }
}

std::string describe(CUresult result) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (const Driver* found = driver()) {
    found->cuGetErrorName(result, &name);
    found->cuGetErrorString(result, &text);
  }
  std::string description = name == nullptr ? "an unknown CUDA error" : name;
  description += " (" + std::to_string(static_cast<int>(result)) + ")";
  if (text != nullptr) description += ": " + std::string(text);
  if (const std::string said = take_driver_log(); !said.empty()) {
    description += "; the driver says: " + said;
  }
  return description;
}

During::During(std::string what) {
  activities().push_back(std::move(what));
}

During::~During() {
  activities().pop_back();
}

}  // namespace gyre::cuda
