/// Which executors this machine has, and making one by name.
#pragma once

#include "gyre/executors/arena_memory.hpp"
#include "gyre/executors/executor.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::executors {

/// An executor under its name, and why it is not available where it is not.
struct ExecutorInfo {
  std::string_view name;
  bool available = false;
  std::string reason;
};

/// Every executor that gyre knows, the one that `auto` prefers first.
std::vector<ExecutorInfo> available_executors();

struct ExecutorOptions {
  /// A name of available_executors(), or `auto`: what the environment variable GYRE_EXECUTOR names,
  /// else the best that this machine has.
  std::string name = "auto";
  /// Threads of the cpu executor; 0: one for each core.
  int threads = 0;
  /// Whether runs will be checked: kernels are compiled for that.
  bool checked = false;
  /// Where temporaries lie, shared with executors that never run at the same time; null: the
  /// executor has memory of its own for them.
  std::shared_ptr<ArenaMemory> arena = {};
};

/// `name`, or what GYRE_EXECUTOR names where that is `auto`.
std::string wanted_executor(const std::string& name);

/// UsageError where the name is unknown, or names what this machine has not: it lists those that
/// are there.
///
/// `auto` takes the next one where the machine fails while one is made (EnvironmentError), and says
/// so in one line of the log. It still does when its first run is prepared, among those of a GPU:
/// where a graph cannot be built, or a call refuses to be part of one (RefusedCall). An executor
/// that was asked for by name fails with what was thrown.
std::unique_ptr<Executor> make_executor(std::shared_ptr<const plan::Plan> plan,
                                        const ExecutorOptions& options = {});

/// An executor that a library beside the core brings, under a name of the table above.
struct ExecutorEntry {
  std::string_view name;
  /// Why it cannot run on this machine; empty where it can.
  std::string (*why_not)() = nullptr;
  std::unique_ptr<Executor> (*make)(std::shared_ptr<const plan::Plan>,
                                    const ExecutorOptions&) = nullptr;
  /// Where it cannot run: whether the machine has nothing of the kind that it runs on. Nobody
  /// counted on it then, and passing it over is worth no warning. Null: it always is.
  bool (*lacks_hardware)() = nullptr;
};

/// Puts `entry` in the place of its name; returns the one that was there. For libraries, while the
/// program starts.
ExecutorEntry offer_executor(const ExecutorEntry& entry);

}  // namespace gyre::executors
