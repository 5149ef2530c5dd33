/// `gyre explain FILE`: the way of a program from its text to its plan, pass by pass, and on to the
/// source of its kernels.
#include "chosen_steps.hpp"
#include "command.hpp"
#include "emitted_source.hpp"
#include "gpu_facts.hpp"
#include "gyre/base/error.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/choices.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/print_plan.hpp"
#include "gyre/plan/residence.hpp"
#include "gyre/text/printer.hpp"
#include "source_file.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace gyre::cli {
namespace {

struct ExplainOptions {
  std::string file;
  std::string pass;
  bool all = false;
  bool source = false;
  ChosenSteps chosen;
};

// What one pass left behind.
struct Step {
  const passes::PassInfo* pass;
  bool changed;
  std::string text;
};

void refuse_unknown_pass(const std::string& name) {
  std::vector<std::string> names;
  for (const passes::PassInfo& pass : passes::pipeline()) names.emplace_back(pass.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const auto nearest = nearest_name(name, names);
  throw UsageError("no pass is called '" + name + "'" +
                   (nearest.empty() ? "; 'gyre explain' without --pass lists them"
                                    : "; did you mean '" + nearest + "'?"));
}

// The program's text after the pass of that name.
std::string text_after(std::string_view name, ir::Program program) {
  std::string text;
  passes::run_passes(std::move(program), [&](const auto& pass, const auto&, const auto& after) {
    if (pass.name == name) text = text::print(after);
  });
  return text;
}

void print_steps(const std::vector<Step>& steps) {
  std::size_t widest = 0;
  for (const Step& step : steps) widest = std::max(widest, step.pass->name.size());
  for (const Step& step : steps) {
    fmt::print("  {}  {:<{}}  {}\n", step.changed ? '*' : ' ', step.pass->name, widest,
               step.pass->summary);
  }
}

void print_texts(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    fmt::print("\n== after {} ==\n\n{}", step.pass->name,
               step.changed ? step.text : std::string("(unchanged)\n"));
  }
}

// What device_graph makes of loops and branches, and why.
void print_choices(const plan::Plan& plan) {
  const plan::FoundCosts costs = find_costs();
  const auto lines = plan::explain_choices(plan, costs.table);
  if (lines.empty()) return;
  fmt::print("\n== choices of device_graph ==\n\ncosts: {}\n", costs.origin);
  for (const std::string& line : lines) fmt::print("{}\n", line);
}

void print_residence(const plan::Plan& plan) {
  const auto sentences = plan::explain_residence(plan, find_costs().table);
  if (!sentences.empty()) fmt::print("\n== persistent ==\n\n");
  for (const std::string& sentence : sentences) fmt::print("  {}\n", sentence);
}

Exit explain(const ExplainOptions& options) {
  if (!options.pass.empty()) refuse_unknown_pass(options.pass);
  const ir::Program read = read_verified_program(options.file);
  const ir::Program program = options.chosen.called(read);
  if (!options.pass.empty()) {
    fmt::print("{}", text_after(options.pass, program));
    return Exit::Done;
  }
  if (options.source) {
    const plan::Plan plan = plan::make_plan(passes::run_passes(program), options.chosen.steps());
    fmt::print("{}", emitted_source(plan, options.chosen.checked));
    return Exit::Done;
  }

  std::string before = text::print(program);
  std::vector<Step> steps;
  const ir::Program lowered =
      passes::run_passes(program, [&](const auto& pass, const auto&, const auto& after) {
        std::string text = text::print(after);
        steps.push_back({&pass, text != before, text});
        before = std::move(text);
      });

  fmt::print("{}: the passes in their order (* changed the program)\n\n", program.name);
  print_steps(steps);
  if (options.all) {
    fmt::print("\n== source ==\n\n{}", text::print(read));
    if (options.chosen.cub) fmt::print("\n== after call_library ==\n\n{}", text::print(program));
    print_texts(steps);
  }
  const plan::Plan plan = plan::make_plan(lowered, options.chosen.steps());
  fmt::print("\n== plan ==\n\n{}", plan::print_plan(plan));
  fmt::print("{}", options.chosen.explain_forms(read));
  print_choices(plan);
  print_residence(plan);
  return Exit::Done;
}

}  // namespace

void add_explain(CLI::App& app, Exit& exit) {
  const auto options = std::make_shared<ExplainOptions>();
  auto* command = app.add_subcommand(
      "explain",
      "Shows what each pass makes of a program, and the plan at the end.\n\n"
      "Examples:\n"
      "  gyre explain cg.gyre                      which passes changed it, and the plan\n"
      "  gyre explain cg.gyre --all                the program after each pass too\n"
      "  gyre explain cg.gyre --pass lower_jumps   the program after that pass alone\n"
      "  gyre explain cg.gyre --source             the CUDA C++ of its kernels\n");
  command->add_option("FILE", options->file, "the program's text; - reads standard input")
      ->required();
  auto* all = command->add_flag("--all", options->all, "print the program after each pass");
  auto* pass =
      command->add_option("--pass", options->pass, "print only the program after this pass")
          ->excludes(all);
  command
      ->add_flag("--source", options->source,
                 "print only the CUDA C++ that the device_graph executor compiles")
      ->excludes(all)
      ->excludes(pass);
  add_chosen_steps(*command, options->chosen);
  command->callback([options, &exit] { exit = explain(*options); });
}

}  // namespace gyre::cli
