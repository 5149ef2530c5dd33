/// NVRTC, the compiler of generated kernels, found while the program runs.
///
/// Looked for under the name in the environment variable GYRE_NVRTC alone, if that is set; else as
/// the system's libnvrtc, then in the toolkit that gyre was built with. Leaves out compiling
/// (compile.hpp).
#pragma once

#include <memory>
#include <string>

#include <nvrtc.h>

namespace gyre::jit {

/// The functions of NVRTC that gyre calls; no pointer is null.
struct Nvrtc {
  decltype(&::nvrtcGetErrorString) get_error_string = nullptr;
  decltype(&::nvrtcVersion) get_version = nullptr;
  decltype(&::nvrtcCreateProgram) create_program = nullptr;
  decltype(&::nvrtcDestroyProgram) destroy_program = nullptr;
  decltype(&::nvrtcCompileProgram) compile_program = nullptr;
  decltype(&::nvrtcGetProgramLogSize) get_log_size = nullptr;
  decltype(&::nvrtcGetProgramLog) get_log = nullptr;
  decltype(&::nvrtcGetCUBINSize) get_cubin_size = nullptr;
  decltype(&::nvrtcGetCUBIN) get_cubin = nullptr;

  /// 1000 * major + 10 * minor.
  int version = 0;
};

/// An NVRTC, or the sentence that says why there is none.
struct FoundNvrtc {
  std::unique_ptr<const Nvrtc> nvrtc;
  std::string reason;
};

/// Loads NVRTC from `library`, a file or a name for the system's loader.
FoundNvrtc load_nvrtc(const std::string& library);

/// The NVRTC of this machine, loaded on the first call; null where `why_no_nvrtc()` says why. Of
/// two, the one of the driver's own major version is taken: an older driver may refuse what a newer
/// compiler makes.
const Nvrtc* nvrtc();
/// One sentence for the user; empty where there is an NVRTC.
const std::string& why_no_nvrtc();

}  // namespace gyre::jit
