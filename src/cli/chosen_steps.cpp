#include "chosen_steps.hpp"

#include "gyre/base/diagnostic.hpp"
#include "gyre/base/error.hpp"

#include <algorithm>
#include <utility>

namespace gyre::cli {
namespace {

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const plan::PlanStepInfo& step : plan::plan_steps()) all.emplace_back(step.name);
  return all;
}

[[noreturn]] void refuse(const std::string& name) {
  const auto nearest = nearest_name(name, names());
  std::string known;
  for (const std::string& one : names()) known += (known.empty() ? "" : ", ") + one;
  throw UsageError(
      "no step is called '" + name + "'" +
      (nearest.empty() ? "; there are: " + known : "; did you mean '" + nearest + "'?"));
}

// gyre::cub without its work on a GPU, which a plan does not hold.
ir::PrimitiveLibrary cub_to_look_at() {
  ir::PrimitiveLibrary library;
  library.name = "cub";
  library.order = [](ir::ScalarType, ir::KeyOrder) { return nullptr; };
  library.sum = [](ir::ScalarType, bool) { return nullptr; };
  return library;
}

}  // namespace

ir::Program ChosenSteps::called(ir::Program program) const {
  return cub ? passes::call_library(std::move(program), cub_to_look_at()) : program;
}

std::string ChosenSteps::explain_forms(const ir::Program& program) const {
  if (!cub) return {};
  std::vector<passes::PrimitiveForm> forms;
  passes::call_library(program, cub_to_look_at(), {}, &forms);
  std::string text = "\n== calls of cub ==\n\n";
  for (const auto& [region, form] : forms) text += "  " + region + ": " + form + "\n";
  return text;
}

plan::PlanSteps ChosenSteps::steps() const {
  plan::PlanSteps steps = plan::steps_of_run(checked);
  for (const std::string& name : without) {
    const auto all = plan::plan_steps();
    const auto step = std::find_if(all.begin(), all.end(),
                                   [&](const plan::PlanStepInfo& one) { return one.name == name; });
    if (step == all.end()) refuse(name);
    steps.*step->taken = false;
  }
  return steps;
}

void add_chosen_steps(CLI::App& command, ChosenSteps& chosen) {
  command.add_flag("--checked", chosen.checked,
                   "the plan of a checked run, and of the cpu: neighbouring sweeps stay apart");
  std::string known;
  for (const std::string& name : names()) known += (known.empty() ? "" : ", ") + name;
  command
      .add_option("--without", chosen.without,
                  "leave out a step of making the plan (may be repeated): " + known)
      ->type_name("STEP")
      ->allow_extra_args(false);
  command.add_flag("--cub", chosen.cub,
                   "sorts and scans as calls of CUB, as programs that link gyre::cub may have "
                   "them");
}

}  // namespace gyre::cli
