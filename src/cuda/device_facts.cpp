#include "gyre/cuda/device_facts.hpp"

#include "gyre/cuda/check.hpp"

#include <array>

namespace gyre::cuda {
namespace {

int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  GYRE_CUDA_CALL(cuDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace

DeviceFacts read_device_facts(int ordinal) {
  CUdevice device = 0;
  GYRE_CUDA_CALL(cuDeviceGet(&device, ordinal));
  std::array<char, 256> name{};
  GYRE_CUDA_CALL(cuDeviceGetName(name.data(), static_cast<int>(name.size()), device));

  DeviceFacts facts;
  facts.name = name.data();
  facts.sm = 10 * attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
             attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.sm_count = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.max_threads_per_sm = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  facts.shared_per_block =
      static_cast<std::size_t>(attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
  facts.max_shared_per_block = static_cast<std::size_t>(
      attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN));
  GYRE_CUDA_CALL(cuDeviceTotalMem(&facts.memory_bytes, device));
  facts.l2_bytes = static_cast<std::size_t>(attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  facts.driver_version = loaded_driver().version;
  facts.cooperative_launch = attribute(device, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0;
  return facts;
}

int device_count() {
  if (driver() == nullptr) return 0;
  int count = 0;
  GYRE_CUDA_CALL(cuDeviceGetCount(&count));
  return count;
}

}  // namespace gyre::cuda
