/// What every bench has: times, the facts of the machine, and results as JSON.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace gyre::bench {

/// How long `work` takes by the host's clock.
double seconds(const std::function<void()>& work);

double median(std::vector<double> values);
/// Least, median, 90th and 99th percentile.
nlohmann::json quantiles(std::vector<double> values);

/// Processor, cores, load before the bench, compiler and build; with a GPU also its name, its
/// driver and the version of CUDA.
nlohmann::json machine_facts();

/// Writes `results/NAME.json` into GYRE_BENCH_RESULTS, else into the source tree's bench folder.
void write_results(const std::string& name, const nlohmann::json& report);

}  // namespace gyre::bench
