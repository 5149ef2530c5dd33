#include "gyre/executors/make_executor.hpp"

#include "gyre/base/error.hpp"
#include "gyre/base/log.hpp"
#include "gyre/executors/cpu.hpp"

#include <array>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace gyre::executors {
namespace {

std::unique_ptr<Executor> make_cpu(std::shared_ptr<const plan::Plan> plan,
                                   const ExecutorOptions& options) {
  return make_cpu_executor(std::move(plan), {.threads = options.threads});
}

std::string not_built() {
  return "this build of gyre does not have it";
}

std::string always_here() {
  return {};
}

// In the order in which `auto` prefers them. What a library beside this one offers takes its row
// over when the program starts.
std::array<ExecutorEntry, 4>& table() {
  static std::array<ExecutorEntry, 4> rows = {{{"device_graph", not_built, nullptr},
                                               {"persistent", not_built, nullptr},
                                               {"host_branch", not_built, nullptr},
                                               {"cpu", always_here, make_cpu}}};
  return rows;
}

const ExecutorEntry& best() {
  std::string passed_over;
  for (const ExecutorEntry& row : table()) {
    const std::string reason = row.why_not();
    if (reason.empty()) {
      if (!passed_over.empty()) {
        static std::once_flag said;
        std::call_once(said, [&] {
          log::info("running with the " + std::string(row.name) + " executor:" + passed_over);
        });
      }
      return row;
    }
    if (row.make != nullptr) passed_over += " " + std::string(row.name) + ": " + reason + ";";
  }
  GYRE_CHECK(false, "there is always the cpu executor");
  return table().back();
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

void offer_executor(const ExecutorEntry& entry) {
  for (ExecutorEntry& row : table()) {
    if (row.name == entry.name) row = entry;
  }
}

std::vector<ExecutorInfo> available_executors() {
  std::vector<ExecutorInfo> infos;
  for (const ExecutorEntry& row : table()) {
    std::string reason = row.why_not();
    const bool here = reason.empty();
    infos.push_back({row.name, here, std::move(reason)});
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
  for (const ExecutorEntry& row : table()) {
    if (row.name == name && row.why_not().empty()) return row.make(std::move(plan), options);
  }
  refuse(name, asked_by);
}

}  // namespace gyre::executors
