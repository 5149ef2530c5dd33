#include "clock.hpp"

#include <algorithm>
#include <chrono>

namespace gyre::bench {
namespace {

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

double microseconds(const std::function<void()>& work) {
  return seconds(work) * 1e6;
}

std::vector<double> sample(int warm_ups, int runs, const std::function<double()>& measure) {
  for (int i = 0; i < warm_ups; ++i) measure();
  std::vector<double> values;
  for (int i = 0; i < runs; ++i) values.push_back(measure());
  return values;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

nlohmann::json quantiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {{"least", values.front()},
          {"median", quantile(values, 0.5)},
          {"p90", quantile(values, 0.9)},
          {"p99", quantile(values, 0.99)},
          {"runs", values.size()}};
}

nlohmann::json quantiles_of_parts(std::vector<double> values, double parts) {
  for (double& value : values) value /= parts;
  return quantiles(std::move(values));
}

}  // namespace gyre::bench
