/// `gyre doctor`: what this machine has, and what follows from it.
#include "calibrate.hpp"
#include "command.hpp"
#include "gpu_facts.hpp"
#include "gyre/base/diagnostic.hpp"
#include "gyre/executors/make_executor.hpp"
#include "try_executors.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace gyre::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DoctorOptions {
  bool json = false;
  bool calibrate = false;
};

struct Machine {
  unsigned cores = 0;
  std::vector<executors::ExecutorInfo> executors;
  std::vector<MachineFact> gpu;
  /// `NAME=value` of each variable that starts with GYRE_.
  std::vector<std::string> environment;
  std::string conclusion;
};

std::vector<std::string> read_environment() {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).starts_with("GYRE_")) variables.emplace_back(*variable);
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

// A misspelt variable does nothing, and nothing else would say so.
std::string doubt_of(std::string_view variable) {
  static const std::vector<std::string> known = {"GYRE_CACHE_DIR", "GYRE_CACHE_MAX_MB",
                                                 "GYRE_COSTS",     "GYRE_EXECUTOR",
                                                 "GYRE_LOG",       "GYRE_NVRTC"};
  const std::string name(variable.substr(0, variable.find('=')));
  if (std::find(known.begin(), known.end(), name) != known.end()) return {};
  const auto nearest = nearest_name(name, known);
  return nearest.empty() ? "  (gyre does not read it)" : "  (did you mean " + nearest + "?)";
}

std::string conclude(const std::vector<executors::ExecutorInfo>& executors) {
  std::string best;
  for (const auto& info : executors) {
    if (info.available && best.empty()) best = info.name;
  }
  if (best == "cpu") {
    return "Programs run on the cpu, with the same results; nothing here can run them on a GPU.";
  }
  return "Programs run on the GPU; '--executor auto' takes " + best + ".";
}

Machine examine() {
  Machine machine{.cores = std::thread::hardware_concurrency(),
                  .executors = try_executors(),
                  .gpu = read_gpu_facts(),
                  .environment = read_environment(),
                  .conclusion = {}};
  machine.conclusion = conclude(machine.executors);
  return machine;
}

void print_text(const Machine& machine) {
  fmt::print("{:<14} {} core{}\n", "cpu", machine.cores, machine.cores == 1 ? "" : "s");
  for (const MachineFact& fact : machine.gpu) fmt::print("{:<14} {}\n", fact.name, fact.text);
  std::string head = "executors";
  for (const auto& info : machine.executors) {
    fmt::print("{:<14} {:<13} {}\n", std::exchange(head, {}), info.name,
               info.available ? "available" : "not available: " + info.reason);
  }
  head = "environment";
  if (machine.environment.empty()) fmt::print("{:<14} no GYRE_ variable is set\n", head);
  for (const std::string& variable : machine.environment) {
    fmt::print("{:<14} {}{}\n", std::exchange(head, {}), variable, doubt_of(variable));
  }
  fmt::print("\n{}\n", machine.conclusion);
}

void print_json(const Machine& machine) {
  Json executors = Json::array();
  for (const auto& info : machine.executors) {
    executors.push_back(
        {{"name", info.name}, {"available", info.available}, {"reason", info.reason}});
  }
  Json gpu = Json::array();
  for (const MachineFact& fact : machine.gpu) {
    gpu.push_back({{"name", fact.name}, {"found", fact.found}, {"text", fact.text}});
  }
  Json environment = Json::object();
  for (const std::string& variable : machine.environment) {
    const auto equals = variable.find('=');
    environment[variable.substr(0, equals)] = variable.substr(equals + 1);
  }
  const Json json = {{"version", GYRE_VERSION},
                     {"cores", machine.cores},
                     {"gpu", std::move(gpu)},
                     {"executors", std::move(executors)},
                     {"environment", std::move(environment)},
                     {"conclusion", machine.conclusion}};
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Exit diagnose(const DoctorOptions& options) {
  if (options.calibrate) return calibrate();
  const Machine machine = examine();
  if (options.json) {
    print_json(machine);
  } else {
    print_text(machine);
  }
  return Exit::Done;
}

}  // namespace

void add_doctor(CLI::App& app, Exit& exit) {
  const auto options = std::make_shared<DoctorOptions>();
  auto* command =
      app.add_subcommand("doctor",
                         "Says what this machine has and what gyre makes of it.\n\n"
                         "Each executor runs a small program; where it fails, the reason "
                         "is told.\n\n"
                         "Examples:\n"
                         "  gyre doctor\n"
                         "  gyre doctor --json\n"
                         "  gyre doctor --calibrate\n");
  auto* json = command->add_flag("--json", options->json, "print the findings as JSON");
  command
      ->add_flag(
          "--calibrate", options->calibrate,
          "measure what control flow costs on this GPU, and keep it for choices between ways "
          "of lowering")
      ->excludes(json);
  command->callback([options, &exit] { exit = diagnose(*options); });
}

}  // namespace gyre::cli
