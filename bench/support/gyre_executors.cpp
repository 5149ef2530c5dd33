#include "gyre_executors.hpp"

#include "gyre/executors/make_executor.hpp"

namespace gyre::bench {

std::vector<std::string> gyre_executors() {
  std::vector<std::string> names;
  for (const auto& executor : executors::available_executors()) {
    if (executor.available) names.emplace_back(executor.name);
  }
  return names;
}

std::vector<std::string> gyre_gpu_executors() {
  std::vector<std::string> names = gyre_executors();
  std::erase(names, "cpu");
  return names;
}

std::vector<std::string> auto_and(std::vector<std::string> executors) {
  executors.insert(executors.begin(), "auto");
  return executors;
}

}  // namespace gyre::bench
