#include "gyre/executors/make_executor.hpp"

#include "gyre/base/error.hpp"
#include "gyre/executors/cpu.hpp"

#include <cstdlib>
#include <utility>

namespace gyre::executors {
namespace {

using Make = std::unique_ptr<Executor> (*)(std::shared_ptr<const plan::Plan>,
                                           const ExecutorOptions&);

struct Row {
  std::string_view name;
  /// Null where this build does not have it.
  Make make;
};

std::unique_ptr<Executor> make_cpu(std::shared_ptr<const plan::Plan> plan,
                                   const ExecutorOptions& options) {
  return make_cpu_executor(std::move(plan), {.threads = options.threads});
}

// In the order in which `auto` prefers them.
constexpr Row rows[] = {
    {"device_graph", nullptr},
    {"persistent", nullptr},
    {"host_branch", nullptr},
    {"cpu", make_cpu},
};

const Row& best() {
  for (const Row& row : rows) {
    if (row.make != nullptr) return row;
  }
  GYRE_CHECK(false, "there is always the cpu executor");
  return rows[0];
}

[[noreturn]] void refuse(const std::string& name, const std::string& asked_by) {
  std::vector<std::string> names = {"auto"};
  std::string here;
  bool known = false;
  for (const ExecutorInfo& info : available_executors()) {
    names.emplace_back(info.name);
    known = known || info.name == name;
    if (info.available) here += (here.empty() ? "" : ", ") + std::string(info.name);
  }
  std::string message =
      known ? "executor '" + name + "' is not available: " : "there is no executor '" + name + "'";
  for (const ExecutorInfo& info : available_executors()) {
    if (info.name == name) message += info.reason;
  }
  const auto nearest = known ? std::string() : nearest_name(name, names);
  if (!nearest.empty()) message += "; did you mean '" + nearest + "'?";
  throw UsageError(message + asked_by + " (this machine has: " + here + ")");
}

}  // namespace

std::vector<ExecutorInfo> available_executors() {
  std::vector<ExecutorInfo> infos;
  for (const Row& row : rows) {
    const bool here = row.make != nullptr;
    infos.push_back({row.name, here, here ? "" : "this build of gyre has no GPU executors"});
  }
  return infos;
}

std::unique_ptr<Executor> make_executor(std::shared_ptr<const plan::Plan> plan,
                                        const ExecutorOptions& options) {
  std::string name = options.name;
  std::string asked_by;
  if (name == "auto") {
    const char* named = std::getenv("GYRE_EXECUTOR");
    if (named == nullptr || *named == '\0' || std::string_view(named) == "auto") {
      return best().make(std::move(plan), options);
    }
    name = named;
    asked_by = ", as GYRE_EXECUTOR asks";
  }
  for (const Row& row : rows) {
    if (row.name == name && row.make != nullptr) return row.make(std::move(plan), options);
  }
  refuse(name, asked_by);
}

}  // namespace gyre::executors
