/// `gyre plan FILE`: what a GPU executor is given to run; with --checked, what the cpu and checked
/// runs are.
#include "chosen_steps.hpp"
#include "command.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/print_plan.hpp"
#include "source_file.hpp"

#include <memory>
#include <string>

#include <fmt/core.h>

namespace gyre::cli {
namespace {

struct PlanOptions {
  std::string file;
  bool dot = false;
  ChosenSteps chosen;
};

Exit print(const PlanOptions& options) {
  const ir::Program program = read_verified_program(options.file);
  const auto plan =
      plan::make_plan(passes::run_passes(options.chosen.called(program)), options.chosen.steps());
  fmt::print("{}", options.dot ? plan::print_plan_dot(plan)
                               : plan::print_plan(plan) + options.chosen.explain_forms(program));
  return Exit::Done;
}

}  // namespace

void add_plan(CLI::App& app, Exit& exit) {
  const auto options = std::make_shared<PlanOptions>();
  auto* command = app.add_subcommand("plan",
                                     "Shows the kernels, slots and conditional nodes of a "
                                     "program.\n\n"
                                     "Examples:\n"
                                     "  gyre plan cg.gyre\n"
                                     "  gyre plan cg.gyre --dot | dot -Tsvg > cg.svg\n"
                                     "  gyre plan cg.gyre --without select_arms\n");
  command->add_option("FILE", options->file, "the program's text; - reads standard input")
      ->required();
  command->add_flag("--dot", options->dot, "print a Graphviz graph");
  add_chosen_steps(*command, options->chosen);
  command->callback([options, &exit] { exit = print(*options); });
}

}  // namespace gyre::cli
