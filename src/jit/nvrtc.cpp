#include "gyre/jit/nvrtc.hpp"

#include "gyre/cuda/driver.hpp"

#include <cstdlib>
#include <utility>
#include <vector>

#include <dlfcn.h>

namespace gyre::jit {
namespace {

constexpr int oldest_nvrtc_version = 12000;

template <class Function>
bool fill(Function& function, void* library, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool fill_table(Nvrtc& nvrtc, void* library) {
  return fill(nvrtc.get_error_string, library, "nvrtcGetErrorString") &&
         fill(nvrtc.get_version, library, "nvrtcVersion") &&
         fill(nvrtc.create_program, library, "nvrtcCreateProgram") &&
         fill(nvrtc.destroy_program, library, "nvrtcDestroyProgram") &&
         fill(nvrtc.compile_program, library, "nvrtcCompileProgram") &&
         fill(nvrtc.get_log_size, library, "nvrtcGetProgramLogSize") &&
         fill(nvrtc.get_log, library, "nvrtcGetProgramLog") &&
         fill(nvrtc.get_cubin_size, library, "nvrtcGetCUBINSize") &&
         fill(nvrtc.get_cubin, library, "nvrtcGetCUBIN");
}

std::vector<std::string> libraries_to_try() {
  if (const char* named = std::getenv("GYRE_NVRTC"); named != nullptr && *named != '\0') {
    return {named};
  }
  std::vector<std::string> names = {"libnvrtc.so.13", "libnvrtc.so.12"};
  const cuda::Driver* driver = cuda::driver();
  if (driver != nullptr && driver->version < 13000) std::swap(names[0], names[1]);
  names.insert(names.end(), {"libnvrtc.so", GYRE_NVRTC_HINT});
  return names;
}

const FoundNvrtc& found_nvrtc() {
  static const FoundNvrtc found = [] {
    std::string reasons;
    for (const std::string& library : libraries_to_try()) {
      FoundNvrtc attempt = load_nvrtc(library);
      if (attempt.nvrtc != nullptr) return attempt;
      reasons += (reasons.empty() ? "" : "; ") + attempt.reason;
    }
    return FoundNvrtc{nullptr,
                      "no NVRTC, which compiles kernels (GYRE_NVRTC may name one): " + reasons};
  }();
  return found;
}

}  // namespace

FoundNvrtc load_nvrtc(const std::string& library) {
  // Never closed: the compiler keeps state of its own until the process ends.
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, dlerror()};

  auto nvrtc = std::make_unique<Nvrtc>();
  int major = 0;
  int minor = 0;
  if (!fill_table(*nvrtc, handle) || nvrtc->get_version(&major, &minor) != NVRTC_SUCCESS) {
    return {nullptr, library + " is not an NVRTC that gyre knows"};
  }
  nvrtc->version = 1000 * major + 10 * minor;
  if (nvrtc->version < oldest_nvrtc_version) {
    return {nullptr, library + " is too old: it is of CUDA " + cuda::version_text(nvrtc->version)};
  }
  return {std::move(nvrtc), {}};
}

const Nvrtc* nvrtc() {
  return found_nvrtc().nvrtc.get();
}

const std::string& why_no_nvrtc() {
  return found_nvrtc().reason;
}

}  // namespace gyre::jit
