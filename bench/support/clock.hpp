/// Times by the host's clock, and what many of them come to.
///
/// Leaves out the clock of a GPU (device_clock.hpp).
#pragma once

#include <functional>
#include <vector>

#include <nlohmann/json.hpp>

namespace gyre::bench {

/// How long `work` takes.
double seconds(const std::function<void()>& work);
double microseconds(const std::function<void()>& work);

/// What `measure` gives, `runs` times, after `warm_ups` times that do not count.
std::vector<double> sample(int warm_ups, int runs, const std::function<double()>& measure);

double median(std::vector<double> values);
/// Least, median, 90th and 99th percentile, and of how many.
nlohmann::json quantiles(std::vector<double> values);
/// The same of each value divided by `parts`.
nlohmann::json quantiles_of_parts(std::vector<double> values, double parts);

}  // namespace gyre::bench
