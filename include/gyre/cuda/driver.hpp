/// The CUDA driver, found while the program runs.
///
/// Nothing of gyre links against libcuda: one build starts on every machine, and where there is no
/// driver or no GPU it can say why. Leaves out turning a failed call into an exception (check.hpp)
/// and what a device can do (device_facts.hpp).
#pragma once

#include <memory>
#include <string>

#include <cuda.h>
#include <cudaTypedefs.h>

namespace gyre::cuda {

/// The functions of driver_functions.def, with the signatures of the versions named there. Complete
/// and initialised: no pointer is null.
struct Driver {
#define GYRE_DRIVER_FUNCTION(name, version) PFN_##name##_v##version name = nullptr;
#include "gyre/cuda/driver_functions.def"
#undef GYRE_DRIVER_FUNCTION

  /// The newest CUDA that the driver knows: 1000 * major + 10 * minor.
  int version = 0;
  /// Where the table came from; for a function that not every header declares.
  PFN_cuGetProcAddress_v12000 get_proc_address = nullptr;

  /// `name` as CUDA `version` has it; null where the driver has none.
  void* find(const char* name, int version) const;
};

/// The oldest driver that gyre uses, for `host_branch`; conditional nodes need 12.4.
inline constexpr int oldest_driver_version = 12000;

/// A driver, or the sentence that says why there is none.
struct FoundDriver {
  std::unique_ptr<const Driver> driver;
  std::string reason;
  /// Whether there is none because the machine has no GPU, as far as that can be told; false where
  /// a driver was found that is of no use.
  bool has_nothing_to_drive = false;
};

/// Loads and initialises the driver from `library`.
FoundDriver load_driver(const std::string& library = "libcuda.so.1");

/// The driver of this machine, loaded on the first call; null where `why_no_driver()` says why.
const Driver* driver();
/// One sentence for the user; empty where there is a driver.
const std::string& why_no_driver();
/// As FoundDriver has it.
bool has_nothing_to_drive();

/// "13.0" for 13000.
std::string version_text(int version);

}  // namespace gyre::cuda
