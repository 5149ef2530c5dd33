#include "machine.hpp"

#ifdef GYRE_HAS_CUDA
#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/driver.hpp"
#endif

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace gyre::bench {
namespace {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

// Who else wanted the cores: the runnable tasks of the last minute.
double load_average() {
  double load = -1;
  std::ifstream("/proc/loadavg") >> load;
  return load;
}

std::int64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

}  // namespace

nlohmann::json machine_facts() {
  nlohmann::json facts = {{"cpu", cpu_model()},
                          {"cores", std::thread::hardware_concurrency()},
                          {"load_average_before", load_average()},
                          {"compiler", GYRE_COMPILER},
                          {"build_type", GYRE_BUILD_TYPE},
                          {"time", seconds_since_1970()}};
#ifdef GYRE_HAS_CUDA
  if (cuda::device_count() > 0) {
    const cuda::DeviceFacts gpu = cuda::read_device_facts();
    facts["gpu"] = gpu.name;
    facts["sm"] = gpu.sm;
    facts["multiprocessors"] = gpu.sm_count;
    // How many streams run at once.
    const char* connections = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    facts["max_connections"] = connections != nullptr ? connections : "default";
    facts["driver_cuda"] = cuda::version_text(gpu.driver_version);
    std::string version;
    std::getline(std::ifstream("/sys/module/nvidia/version"), version);
    if (!version.empty()) facts["driver"] = version;
  }
#endif
  return facts;
}

}  // namespace gyre::bench
