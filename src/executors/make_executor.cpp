#include "gyre/executors/make_executor.hpp"

#include "auto_executor.hpp"
#include "gyre/base/error.hpp"
#include "gyre/executors/cpu.hpp"
#include "passed_over.hpp"

#include <array>
#include <cstdlib>
#include <utility>

namespace gyre::executors {
namespace {

std::unique_ptr<Executor> make_cpu(std::shared_ptr<const plan::Plan> plan,
                                   const ExecutorOptions& options) {
  return make_cpu_executor(std::move(plan), {.threads = options.threads, .arena = options.arena});
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
  static std::array<ExecutorEntry, 4> rows = {{{.name = "persistent", .why_not = not_built},
                                               {.name = "device_graph", .why_not = not_built},
                                               {.name = "host_branch", .why_not = not_built},
                                               {"cpu", always_here, make_cpu}}};
  return rows;
}

// Walks down the table.
class Candidates {
 public:
  Candidates(std::shared_ptr<const plan::Plan> plan, ExecutorOptions options)
      : plan_(std::move(plan)), options_(std::move(options)) {}

  // The first row from here on that is there and can be made; null where there is none. A caller's
  // mistake or gyre's own would meet every executor alike: only a failure of the machine is passed
  // over.
  std::unique_ptr<Executor> first(PassedOver& passed_over) {
    return next(passed_over, table().size());
  }
  // The last row is the cpu executor, which wants another plan, and memory of the host: what was
  // begun on a GPU does not go on there.
  std::unique_ptr<Executor> next_on_gpu(PassedOver& passed_over) {
    return next(passed_over, table().size() - 1);
  }
  bool is_at_the_last() const { return row_ == table().size(); }

 private:
  std::unique_ptr<Executor> next(PassedOver& passed_over, std::size_t end) {
    while (row_ < end) {
      const ExecutorEntry& row = table()[row_++];
      if (row.make == nullptr) continue;
      if (const std::string reason = row.why_not(); !reason.empty()) {
        const bool expected = row.lacks_hardware != nullptr && row.lacks_hardware();
        passed_over.add(row.name, reason, expected);
        continue;
      }
      try {
        return row.make(plan_, options_);
      } catch (const EnvironmentError& error) {
        if (is_at_the_last()) throw;
        passed_over.add(row.name, error.what(), false);
      }
    }
    return nullptr;
  }

  std::shared_ptr<const plan::Plan> plan_;
  ExecutorOptions options_;
  std::size_t row_ = 0;
};

std::unique_ptr<Executor> make_best(const std::shared_ptr<const plan::Plan>& plan,
                                    const ExecutorOptions& options) {
  PassedOver passed_over;
  Candidates candidates(plan, options);
  auto first = candidates.first(passed_over);
  GYRE_CHECK(first != nullptr, "there is always the cpu executor");
  if (candidates.is_at_the_last()) {
    passed_over.tell(first->name());
    return first;
  }
  return std::make_unique<AutoExecutor>(
      std::move(first), std::move(passed_over),
      [candidates](PassedOver& more) mutable { return candidates.next_on_gpu(more); });
}

[[noreturn]] void refuse(const std::string& name, const std::string& asked_by) {
  std::string names = "auto";
  std::string here;
  bool known = false;
  for (const ExecutorInfo& info : available_executors()) {
    names += ", " + std::string(info.name);
    known = known || info.name == name;
    if (info.available) here += (here.empty() ? "" : ", ") + std::string(info.name);
  }
  std::string message = known ? "executor '" + name + "' is not available: "
                              : "there is no executor '" + name + "', only " + names;
  for (const ExecutorInfo& info : available_executors()) {
    if (info.name == name) message += info.reason;
  }
  throw UsageError(message + asked_by + " (this machine has: " + here + ")");
}

}  // namespace

ExecutorEntry offer_executor(const ExecutorEntry& entry) {
  for (ExecutorEntry& row : table()) {
    if (row.name == entry.name) return std::exchange(row, entry);
  }
  GYRE_CHECK(false, "executor '" + std::string(entry.name) + "' has a row of the table");
  return {};
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

std::string wanted_executor(const std::string& name) {
  const char* named = std::getenv("GYRE_EXECUTOR");
  return name != "auto" || named == nullptr || *named == '\0' ? name : named;
}

std::unique_ptr<Executor> make_executor(std::shared_ptr<const plan::Plan> plan,
                                        const ExecutorOptions& options) {
  const std::string name = wanted_executor(options.name);
  if (name == "auto") return make_best(plan, options);
  for (const ExecutorEntry& row : table()) {
    if (row.name == name && row.why_not().empty()) return row.make(std::move(plan), options);
  }
  refuse(name, name == options.name ? "" : ", as GYRE_EXECUTOR asks");
}

}  // namespace gyre::executors
