/// Every .gyre file of this folder, in every way that needs no GPU. With GYRE_UPDATE_GOLDEN=1 the
/// results in the files are written anew, as the interpreter has them, to be reviewed as a diff.
#include "gyre/executors/cpu.hpp"
#include "gyre/ir/interpret.hpp"
#include "gyre/passes/call_library.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/text/parser.hpp"
#include "support/conformance_suite.hpp"
#include "support/host_library.hpp"
#include "support/programs.hpp"
#include "support/vocabulary.hpp"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

Launcher interpreter_of(const ir::Program& program) {
  return [program](OwnedArguments& data, const ir::RunOptions& options) {
    return interpret(program, data.view(program), options);
  };
}

Way on_cpu(int threads, bool checked) {
  return on_executor("Cpu" + std::to_string(threads) + (checked ? "Checked" : ""), checked,
                     [threads](std::shared_ptr<const plan::Plan> plan) {
                       return executors::make_cpu_executor(std::move(plan), {threads});
                     });
}

// Sorts and scans are calls, however short they are.
Way with_library(Way way) {
  way.name += "WithALibrary";
  way.make = [make = way.make](const ir::Program& program) {
    return make(passes::call_library(program, host_library({.least_sort = 0, .least_scan = 0}),
                                     {.in_loops = true}));
  };
  return way;
}

const Way interpret_checked = {"InterpretChecked", true, interpreter_of};

std::vector<Way> ways() {
  return {
      interpret_checked,
      {"InterpretAfterPasses", false,
       [](const ir::Program& program) { return interpreter_of(passes::run_passes(program)); }},
      on_cpu(1, false),
      on_cpu(1, true),
      on_cpu(3, false),
      on_cpu(3, true),
      with_library(on_cpu(1, false)),
      with_library(on_cpu(3, true)),
  };
}

const bool added = add_conformance_tests(ways(), &interpret_checked);

TEST(Conformance, HasFiles) {
  EXPECT_TRUE(added);
}

TEST(Conformance, ProgramsUseTheWholeLanguageButCallsAndInexactFunctions) {
  Vocabulary used;
  for (const auto& [name, path] : conformance_files()) {
    used.merge(vocabulary_of(text::parse_program(name, read_file(path))));
  }

  EXPECT_EQ(missing_from(used), "");
  EXPECT_EQ(beyond_exact(used), "");
}

}  // namespace
}  // namespace gyre::support
