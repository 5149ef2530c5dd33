#include "gpu_facts.hpp"

#include <exception>
#include <string>

#ifdef GYRE_HAS_CUDA
#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/driver.hpp"
#include "gyre/jit/cache.hpp"
#include "gyre/jit/nvrtc.hpp"

#include <fmt/core.h>
#endif

namespace gyre::cli {
namespace {

MachineFact read_costs(const std::string& device) {
  try {
    return {"costs", true, plan::find_cost_table(device).origin};
  } catch (const std::exception& error) {
    return {"costs", false, error.what()};
  }
}

}  // namespace

#ifdef GYRE_HAS_CUDA
namespace {

MachineFact read_driver() {
  const cuda::Driver* driver = cuda::driver();
  if (driver == nullptr) return {"driver", false, cuda::why_no_driver()};
  const std::string conditional = driver->version >= 12040
                                      ? "has conditional nodes"
                                      : "has no conditional nodes, which need 12.4";
  return {"driver", true,
          fmt::format("CUDA {}, {}", cuda::version_text(driver->version), conditional)};
}

MachineFact read_device(int ordinal) {
  try {
    const auto device = cuda::read_device_facts(ordinal);
    return {
        "gpu", true,
        fmt::format("{}, {}, {} multiprocessors, {:.1f} GiB", device.name, device.architecture(),
                    device.sm_count, static_cast<double>(device.memory_bytes) / (1ULL << 30))};
  } catch (const std::exception& error) {
    return {"gpu", false, error.what()};
  }
}

std::string device_name() {
  return cuda::driver() != nullptr && cuda::device_count() > 0 ? cuda::read_device_facts().name
                                                               : std::string();
}

MachineFact read_nvrtc() {
  const jit::Nvrtc* nvrtc = jit::nvrtc();
  if (nvrtc == nullptr) return {"nvrtc", false, jit::why_no_nvrtc()};
  return {"nvrtc", true, cuda::version_text(nvrtc->version)};
}

MachineFact read_kernel_cache() {
  const auto settings = jit::cache_settings_from_environment();
  if (settings.directory.empty() || settings.max_bytes == 0) {
    return {"kernel_cache", false, "kernels are not kept on disk"};
  }
  return {"kernel_cache", true,
          fmt::format("{}, {} MiB at most", settings.directory.string(), settings.max_bytes >> 20)};
}

}  // namespace

std::vector<MachineFact> read_gpu_facts() {
  std::vector<MachineFact> facts = {read_driver()};
  const int devices = cuda::driver() != nullptr ? cuda::device_count() : 0;
  if (devices == 0 && cuda::driver() != nullptr) facts.push_back({"gpu", false, "none"});
  for (int ordinal = 0; ordinal < devices; ++ordinal) facts.push_back(read_device(ordinal));
  facts.push_back(read_nvrtc());
  facts.push_back(read_kernel_cache());
  facts.push_back(read_costs(device_name()));
  return facts;
}

plan::FoundCosts find_costs() {
  return plan::find_cost_table(device_name());
}

#else

std::vector<MachineFact> read_gpu_facts() {
  return {{"gpu", false, "not looked for: this gyre was built without CUDA"}, read_costs({})};
}

plan::FoundCosts find_costs() {
  return plan::find_cost_table({});
}

#endif

}  // namespace gyre::cli
