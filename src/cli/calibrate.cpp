#include "calibrate.hpp"

#include "gyre/base/error.hpp"

#ifdef GYRE_HAS_CUDA
#include "gyre/executors/measure_costs.hpp"
#include "gyre/io/file.hpp"
#include "gyre/plan/find_cost_table.hpp"

#include <chrono>
#include <filesystem>
#include <system_error>

#include <fmt/core.h>
#endif

namespace gyre::cli {

#ifdef GYRE_HAS_CUDA
namespace {

void keep(const plan::CostTable& table, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) {
    throw EnvironmentError("cannot make the folder " + file.parent_path().string() + ": " +
                           error.message());
  }
  io::write_file(file.string(), plan::print_cost_table(table));
}

}  // namespace

Exit calibrate() {
  const auto start = std::chrono::steady_clock::now();
  const plan::CostTable table = executors::measure_costs();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

  fmt::print("{}", plan::print_cost_table(table));
  const auto file = plan::measured_costs_file(table.device);
  if (file.empty()) {
    throw EnvironmentError("there is no place to keep the costs: set GYRE_CACHE_DIR or HOME");
  }
  keep(table, file);
  fmt::print("\nMeasured in {:.1f} s and kept in {}.\n", taken.count(), file.string());
  return Exit::Done;
}

#else

Exit calibrate() {
  throw EnvironmentError("costs cannot be measured here: this gyre was built without CUDA");
}

#endif

}  // namespace gyre::cli
