// A libcuda that runs nothing. GYRE_FAKE_DRIVER_VERSION is the CUDA version that it knows,
// GYRE_FAKE_DRIVER_INIT what cuInit returns, GYRE_FAKE_DRIVER_DEVICES how many devices it claims to
// see (none), and GYRE_FAKE_DRIVER_MODULE what loading a module into one returns; every other
// function succeeds and does nothing.
#include <cstdlib>
#include <string_view>

#include <cuda.h>

namespace {

int number(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

CUresult init(unsigned) {
  return static_cast<CUresult>(number("GYRE_FAKE_DRIVER_INIT", CUDA_SUCCESS));
}

CUresult driver_version(int* version) {
  *version = number("GYRE_FAKE_DRIVER_VERSION", 13000);
  return CUDA_SUCCESS;
}

CUresult error_name(CUresult, const char** name) {
  *name = "CUDA_ERROR_OF_THE_FAKE";
  return CUDA_SUCCESS;
}

CUresult device_count(int* count) {
  *count = number("GYRE_FAKE_DRIVER_DEVICES", 0);
  return CUDA_SUCCESS;
}

// Each device is of an architecture that every NVRTC of CUDA 12 and later compiles for.
CUresult device_attribute(int* value, CUdevice_attribute which, CUdevice) {
  *value = which == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? 9 : 0;
  return CUDA_SUCCESS;
}

CUresult load_module(CUmodule*, const void*) {
  return static_cast<CUresult>(number("GYRE_FAKE_DRIVER_MODULE", CUDA_SUCCESS));
}

CUresult succeed() {
  return CUDA_SUCCESS;
}

void* function_named(std::string_view name) {
  if (name == "cuInit") return reinterpret_cast<void*>(&init);
  if (name == "cuDriverGetVersion") return reinterpret_cast<void*>(&driver_version);
  if (name == "cuGetErrorName") return reinterpret_cast<void*>(&error_name);
  if (name == "cuDeviceGetCount") return reinterpret_cast<void*>(&device_count);
  if (name == "cuDeviceGetAttribute") return reinterpret_cast<void*>(&device_attribute);
  if (name == "cuModuleLoadData") return reinterpret_cast<void*>(&load_module);
  return reinterpret_cast<void*>(&succeed);
}

}  // namespace

extern "C" CUresult cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t,
                                        CUdriverProcAddressQueryResult* found) {
  const bool known = version <= number("GYRE_FAKE_DRIVER_VERSION", 13000);
  *function = known ? function_named(name) : nullptr;
  *found = known ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  return CUDA_SUCCESS;
}
