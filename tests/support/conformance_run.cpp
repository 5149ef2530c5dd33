#include "support/conformance_run.hpp"

#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"
#include "gyre/verifier/verify.hpp"
#include "support/conformance_arguments.hpp"
#include "support/conformance_report.hpp"
#include "support/programs.hpp"

#include <exception>
#include <fstream>
#include <utility>

namespace gyre::support {
namespace {

bool takes(const Way& way, const ConformanceRun& run) {
  return way.checked || !run.checked;
}

ir::Program read_program(const std::filesystem::path& path, const std::string& text) {
  ir::Program program = text::parse_program(path.filename().string(), text);
  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  if (diagnostics.has_errors()) throw ProgramError(diagnostics);
  return program;
}

// Lines that no file may expect, for what must not happen whatever the program is.
std::string breaches(const ir::Program& program, const ConformanceRun& run, const Run& made,
                     const OwnedArguments& given) {
  std::string text;
  for (const ir::Symbol& symbol : program.symbols) {
    if (symbol.kind != ir::SymbolKind::Buffer || symbol.intent != ir::Intent::In) continue;
    if (made.data.buffers.at(symbol.name).bytes != given.buffers.at(symbol.name).bytes) {
      text += "#! the input " + symbol.name + " is not what it was\n";
    }
  }
  const bool needs_checks = made.outcome.fault == ir::FaultKind::OutOfBounds ||
                            made.outcome.fault == ir::FaultKind::BrokenPromise;
  if (needs_checks && !run.checked) text += "#! this run needs --checked\n";
  return text;
}

std::string launch(const Way& way, const ir::Program& program, const Launcher& launcher,
                   const ConformanceRun& run, std::byte rubbish) {
  ir::RunOptions options{.checked = way.checked};
  if (run.max_trips) options.max_trips = *run.max_trips;
  try {
    const OwnedArguments given = make_arguments(program, run, rubbish);
    Run made{{}, given};
    made.outcome = launcher(made.data, options);
    return report(program, made) + breaches(program, run, made, given);
  } catch (const std::exception& error) {
    return std::string("#! ") + error.what() + "\n";
  }
}

// What was expected of a run and what came of it; empty where they are the same.
std::string difference(const ConformanceRun& run, const std::string& actual, const char* which) {
  const bool is_possible = actual.find("#!") == std::string::npos;
  if (actual == run.results && is_possible) return "";
  return std::string(which) + " launch of\n" + run.head + "expected\n" + run.results + "and got\n" +
         actual;
}

}  // namespace

Way on_executor(std::string name, bool checked, MakeExecutor make) {
  const auto launcher = [make = std::move(make), checked](const ir::Program& program) -> Launcher {
    const auto plan = std::make_shared<const plan::Plan>(
        plan::make_plan(passes::run_passes(program), plan::steps_of_run(checked)));
    std::shared_ptr<executors::Executor> executor = make(plan);
    return [program, plan, executor](OwnedArguments& data, const ir::RunOptions& options) {
      return executor->run(ir::resolve(plan->symbols, data.view(program)), options);
    };
  };
  return {std::move(name), checked, launcher};
}

bool has_runs_for(const Way& way, const ConformanceFile& file) {
  for (const ConformanceRun& run : file.runs) {
    if (takes(way, run)) return true;
  }
  return false;
}

std::string fault_of(const Way& way, const std::filesystem::path& path) {
  try {
    const std::string text = read_file(path);
    const ConformanceFile file = parse_conformance(text);
    const ir::Program program = read_program(path, text);
    const Launcher launcher = way.make(program);
    for (const ConformanceRun& run : file.runs) {
      if (!takes(way, run)) continue;
      for (const auto& [which, rubbish] : {std::pair{"first", 0xA5}, std::pair{"second", 0x3C}}) {
        const auto actual = launch(way, program, launcher, run, static_cast<std::byte>(rubbish));
        if (auto fault = difference(run, actual, which); !fault.empty()) {
          return path.string() + ", " + fault;
        }
      }
    }
    return "";
  } catch (const std::exception& error) {
    return path.string() + ": " + error.what();
  }
}

void rewrite_results(const Way& way, const std::filesystem::path& path) {
  const std::string text = read_file(path);
  const ConformanceFile file = parse_conformance(text);
  const ir::Program program = read_program(path, text);
  const Launcher launcher = way.make(program);
  std::vector<std::string> results;
  for (const ConformanceRun& run : file.runs) {
    results.push_back(launch(way, program, launcher, run, std::byte{0xA5}));
  }
  const std::string written = with_results(file, results);
  if (written != text) std::ofstream(path, std::ios::binary) << written;
}

}  // namespace gyre::support
