// A libcuda without a GPU. GYRE_FAKE_DRIVER_VERSION is the CUDA version that it knows,
// GYRE_FAKE_DRIVER_INIT what cuInit returns; every other function succeeds and does nothing.
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

CUresult succeed() {
  return CUDA_SUCCESS;
}

void* function_named(std::string_view name) {
  if (name == "cuInit") return reinterpret_cast<void*>(&init);
  if (name == "cuDriverGetVersion") return reinterpret_cast<void*>(&driver_version);
  if (name == "cuGetErrorName") return reinterpret_cast<void*>(&error_name);
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
