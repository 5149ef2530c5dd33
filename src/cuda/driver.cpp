#include "gyre/cuda/driver.hpp"

#include <utility>

#include <dlfcn.h>

namespace gyre::cuda {
namespace {

using GetProcAddress = PFN_cuGetProcAddress_v12000;

void* find_function(GetProcAddress get, const char* name, int version) {
  void* function = nullptr;
  CUdriverProcAddressQueryResult found{};
  const CUresult result = get(name, &function, version, CU_GET_PROC_ADDRESS_LEGACY_STREAM, &found);
  return result == CUDA_SUCCESS && found == CU_GET_PROC_ADDRESS_SUCCESS ? function : nullptr;
}

/// Stands in the table for a function that is newer than the driver.
template <class... Arguments>
CUresult CUDAAPI newer_than_the_driver(Arguments...) {
  return CUDA_ERROR_NOT_SUPPORTED;
}

/// Fills one row of the table; false where a function is missing that every driver should have.
template <class... Arguments>
bool fill(CUresult(CUDAAPI*& row)(Arguments...), GetProcAddress get, const char* name,
          int version) {
  row = reinterpret_cast<CUresult(CUDAAPI*)(Arguments...)>(find_function(get, name, version));
  if (row == nullptr && version > oldest_driver_version) row = &newer_than_the_driver<Arguments...>;
  return row != nullptr;
}

/// The name of the first function that is missing, or null.
const char* fill_table(Driver& driver, GetProcAddress get) {
#define GYRE_DRIVER_FUNCTION(name, version) \
  if (!fill(driver.name, get, #name, version)) return #name;
#include "gyre/cuda/driver_functions.def"
#undef GYRE_DRIVER_FUNCTION
  return nullptr;
}

std::string why_init_failed(const Driver& driver, CUresult result) {
  const char* name = "unknown error";
  driver.cuGetErrorName(result, &name);
  std::string reason = "the CUDA driver does not start: cuInit gave " + std::string(name) + " (" +
                       std::to_string(result) + ")";
  switch (result) {
    case CUDA_ERROR_NO_DEVICE:
      return "this machine has a CUDA driver but no GPU that it can use (CUDA_ERROR_NO_DEVICE); "
             "see "
             "nvidia-smi and CUDA_VISIBLE_DEVICES";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return reason + "; the driver was updated while its kernel module stayed: reboot";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return reason + "; a cuda-compat library was found that this GPU may not use";
    default: return reason;
  }
}

std::string too_old(const std::string& found) {
  return "the CUDA driver is too old: it knows CUDA " + found + ", gyre needs " +
         version_text(oldest_driver_version) + " or later";
}

FoundDriver no_driver(std::string reason) {
  return {nullptr, std::move(reason), false};
}

FoundDriver initialise(GetProcAddress get) {
  auto driver = std::make_unique<Driver>();
  driver->get_proc_address = get;
  if (fill(driver->cuDriverGetVersion, get, "cuDriverGetVersion", 2020)) {
    driver->cuDriverGetVersion(&driver->version);
  }
  if (driver->version < oldest_driver_version) {
    return no_driver(too_old(version_text(driver->version)));
  }
  if (const char* missing = fill_table(*driver, get)) {
    return no_driver("the CUDA driver lacks " + std::string(missing));
  }
  if (const CUresult result = driver->cuInit(0); result != CUDA_SUCCESS) {
    return {nullptr, why_init_failed(*driver, result), result == CUDA_ERROR_NO_DEVICE};
  }
  return {std::move(driver), {}, false};
}

const FoundDriver& found_driver() {
  static const FoundDriver found = load_driver();
  return found;
}

}  // namespace

FoundDriver load_driver(const std::string& library) {
  // Never closed: the driver keeps threads and handlers of its own.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, "no CUDA driver: " + std::string(dlerror()), true};
  const auto get = reinterpret_cast<GetProcAddress>(dlsym(handle, "cuGetProcAddress_v2"));
  return get == nullptr ? no_driver(too_old("11 or older")) : initialise(get);
}

const Driver* driver() {
  return found_driver().driver.get();
}

const std::string& why_no_driver() {
  return found_driver().reason;
}

bool has_nothing_to_drive() {
  return found_driver().has_nothing_to_drive;
}

void* Driver::find(const char* name, int wanted_version) const {
  return find_function(get_proc_address, name, wanted_version);
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace gyre::cuda
