#include "report.hpp"

#ifdef GYRE_HAS_CUDA
#include "gyre/cuda/device_facts.hpp"
#include "gyre/cuda/driver.hpp"
#endif

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

double quantile(const std::vector<double>& sorted, double part) {
  const auto last = static_cast<double>(sorted.size() - 1);
  return sorted[static_cast<std::size_t>(last * part + 0.5)];
}

}  // namespace

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

nlohmann::json quantiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"least", values.front()},
          {"median", quantile(values, 0.5)},
          {"p90", quantile(values, 0.9)},
          {"p99", quantile(values, 0.99)}};
}

nlohmann::json machine_facts() {
  nlohmann::json facts = {{"cpu", cpu_model()},
                          {"cores", std::thread::hardware_concurrency()},
                          {"load_average_before", load_average()},
                          {"compiler", GYRE_COMPILER},
                          {"build_type", GYRE_BUILD_TYPE}};
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

void write_results(const std::string& name, const nlohmann::json& report) {
  const char* named = std::getenv("GYRE_BENCH_RESULTS");
  const std::filesystem::path folder = named != nullptr ? named : GYRE_SOURCE_DIR "/bench/results";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / (name + ".json")) << report.dump(2) << '\n';
}

}  // namespace gyre::bench
