#include "support/random_program.hpp"

#include "gyre/executors/cpu.hpp"
#include "gyre/ir/interpret.hpp"
#include "gyre/passes/call_library.hpp"
#include "gyre/passes/order_on_host.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/print_plan.hpp"
#include "gyre/plan/verify_plan.hpp"
#include "gyre/text/parser.hpp"
#include "gyre/text/printer.hpp"
#include "gyre/verifier/verify.hpp"
#include "support/host_library.hpp"
#include "support/property_run.hpp"
#include "support/random_call.hpp"
#include "support/random_steps.hpp"
#include "support/same_run.hpp"
#include "support/shrink.hpp"
#include "support/vocabulary.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

// A way to run a program; `interpret` is what all others are compared with.
struct Way {
  std::string name;
  std::function<ir::Outcome(const ir::Program&, OwnedArguments& data)> run;
  /// Broken promises are found; elsewhere nobody says what they do.
  bool checked = false;
  /// Sweeps share kernels: of several faults another one may be found first.
  bool fused = false;
};

// How a failing test names its parameter.
void PrintTo(const Way& way, std::ostream* out) {
  *out << way.name;
}

ir::Outcome run_interpret(const ir::Program& program, OwnedArguments& data) {
  return interpret(program, data.view(program));
}

ir::Outcome run_interpret_checked(const ir::Program& program, OwnedArguments& data) {
  return interpret(program, data.view(program), {.checked = true});
}

ir::Outcome run_lowered_checked(const ir::Program& program, OwnedArguments& data) {
  return run_interpret_checked(passes::run_passes(program), data);
}

ir::Outcome run_reparsed(const ir::Program& program, OwnedArguments& data) {
  const ir::Program reparsed =
      text::parse_program("printed.gyre", text::print(program), mixing_calls());
  return interpret(reparsed, data.view(reparsed));
}

// Interprets what the first `count` passes make of a program.
ir::Outcome run_after_passes(std::size_t count, ir::Program program, OwnedArguments& data) {
  for (const passes::PassInfo& pass : passes::pipeline().first(count)) {
    program = pass.run(std::move(program));
  }
  return run_interpret(program, data);
}

// How the cpu executor runs a plan.
struct CpuRun {
  int threads = 1;
  bool checked = false;
  plan::PlanSteps steps = plan::all_steps;
  /// The host sorts, as in whatever is compiled for the cpu.
  bool sorts = false;
};

ir::Outcome run_on_cpu(const CpuRun& how, const ir::Program& program, OwnedArguments& data) {
  const ir::Program lowered =
      passes::run_passes(how.sorts ? passes::order_on_host(program) : program);
  const auto plan = std::make_shared<const plan::Plan>(plan::make_plan(lowered, how.steps));
  return executors::make_cpu_executor(plan, {how.threads})
      ->run(ir::resolve(plan->symbols, data.view(program)), {.checked = how.checked});
}

Way on_cpu(std::string name, const CpuRun& how) {
  return {std::move(name),
          [how](const ir::Program& program, OwnedArguments& data) {
            return run_on_cpu(how, program, data);
          },
          how.checked, how.steps != plan::no_steps};
}

// `way` on what is left of a program whose sorts and scans are calls of a library.
Way with_library(Way way) {
  way.name += "WithALibrary";
  way.run = [run = way.run](const ir::Program& program, OwnedArguments& data) {
    return run(passes::call_library(program, host_library(), {.in_loops = true}), data);
  };
  return way;
}

// Adding a way to run programs is adding a row.
std::vector<Way> ways() {
  std::vector<Way> rows = {{"InterpretChecked", run_interpret_checked, true},
                           {"InterpretLoweredChecked", run_lowered_checked, true},
                           {"InterpretReparsed", run_reparsed}};
  for (std::size_t count = 1; count <= passes::pipeline().size(); ++count) {
    rows.push_back({"After_" + std::string(passes::pipeline()[count - 1].name),
                    [count](const ir::Program& program, OwnedArguments& data) {
                      return run_after_passes(count, program, data);
                    }});
  }
  for (const int threads : {1, 2, 7}) {
    rows.push_back(on_cpu("Cpu_" + std::to_string(threads), {threads}));
  }
  rows.push_back(on_cpu("CpuUnfused", {.steps = plan::no_steps}));
  rows.push_back(on_cpu("CpuChecked", {.checked = true, .steps = plan::no_steps}));
  rows.push_back(on_cpu("CpuSorts", {.threads = 2, .steps = plan::no_steps, .sorts = true}));
  rows.push_back(
      on_cpu("CpuSortsChecked", {.checked = true, .steps = plan::no_steps, .sorts = true}));
  rows.push_back(with_library({"InterpretChecked", run_interpret_checked, true}));
  rows.push_back(with_library(on_cpu("Cpu_2", {2})));
  return rows;
}

::testing::AssertionResult agrees(const Way& way, const ir::Program& program,
                                  const OwnedArguments& start) {
  Run expected{{}, start};
  Run actual{{}, start};
  try {
    expected.outcome = run_interpret_checked(program, expected.data);
    if (expected.outcome.fault != ir::FaultKind::BrokenPromise) {
      expected.data = start;
      expected.outcome = run_interpret(program, expected.data);
    } else if (!way.checked) {
      return ::testing::AssertionSuccess();
    }
    actual.outcome = way.run(program, actual.data);
    const auto leaves_a_buffer = [](const Run& run) {
      return run.outcome.fault == ir::FaultKind::OutOfBounds;
    };
    if (way.fused && (leaves_a_buffer(expected) || leaves_a_buffer(actual))) {
      return ::testing::AssertionResult(expected.outcome.fault != ir::FaultKind::None &&
                                        actual.outcome.fault != ir::FaultKind::None)
             << "of several faults, one of them an index outside its buffer, none was found";
    }
  } catch (const std::exception& error) {
    return ::testing::AssertionFailure() << "threw: " << error.what();
  }
  return same_run(expected, actual);
}

std::string text_of_errors(const ir::Program& program) {
  Diagnostics diagnostics;
  verifier::verify(program, diagnostics);
  return diagnostics.has_errors() ? render(diagnostics) : "";
}

TEST(RandomPrograms, AreAcceptedByTheVerifier) {
  for_each_seed([](std::uint64_t seed) {
    const RandomProgram made = random_program(seed);

    EXPECT_EQ(text_of_errors(made.program), "") << "seed " << seed;
  });
}

TEST(RandomPrograms, UseTheWholeLanguageButInexactFunctions) {
  Vocabulary used;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    used.merge(vocabulary_of(random_program(seed).program));
  }

  EXPECT_EQ(missing_from(used, Calls::With), "");
  EXPECT_EQ(beyond_exact(used, Calls::With), "");
}

TEST(RandomPrograms, EndInEveryWayThatNeedsNoHelp) {
  std::set<std::pair<ir::Status, ir::FaultKind>> ends;
  for (std::uint64_t seed = 1; seed <= 6000; ++seed) {
    RandomProgram made = random_program(seed);
    const ir::Outcome outcome = run_interpret_checked(made.program, made.data);
    ends.emplace(outcome.status, outcome.fault);
  }

  const std::set<std::pair<ir::Status, ir::FaultKind>> expected = {
      {ir::Status::Completed, ir::FaultKind::None},
      {ir::Status::Stopped, ir::FaultKind::None},
      {ir::Status::TripLimit, ir::FaultKind::None},
      {ir::Status::Fault, ir::FaultKind::OutOfBounds},
      {ir::Status::Fault, ir::FaultKind::ZeroStep},
      {ir::Status::Fault, ir::FaultKind::BrokenPromise}};
  EXPECT_EQ(ends, expected);
}

TEST(RandomPrograms, BecomePlansThatObeyEveryRule) {
  for_each_seed([](std::uint64_t seed) {
    const ir::Program lowered = passes::run_passes(random_program(seed).program);
    for (const auto& steps : {plan::no_steps, plan::all_steps, random_steps(seed)}) {
      const plan::Plan plan = plan::make_plan(lowered, steps);

      EXPECT_EQ(plan::verify_plan(plan), std::vector<std::string>()) << "seed " << seed << "\n"
                                                                     << plan::print_plan(plan);
    }
  });
}

// The program of that seed, shrunk where it does not agree.
void expect_agreement(const Way& way, std::uint64_t seed) {
  const RandomProgram made = random_program(seed);

  const auto result = agrees(way, made.program, made.data);

  if (result) return;
  const ir::Program small = shrink(
      made.program, [&](const ir::Program& program) { return !agrees(way, program, made.data); });
  ADD_FAILURE() << way.name << ", seed " << seed << ": " << result.message()
                << "\nshrunk: " << agrees(way, small, made.data).message() << '\n'
                << text::print(small);
}

TEST(RandomPrograms, RunAsInterpretSaysWithAnySubsetOfPlanSteps) {
  for_each_seed([](std::uint64_t seed) {
    expect_agreement(on_cpu("CpuSomeSteps", {.threads = 2, .steps = random_steps(seed)}), seed);
  });
}

class RandomProgramsRun : public ::testing::TestWithParam<Way> {};

TEST_P(RandomProgramsRun, AsInterpretSays) {
  for_each_seed([&](std::uint64_t seed) { expect_agreement(GetParam(), seed); });
}

INSTANTIATE_TEST_SUITE_P(Ways, RandomProgramsRun, ::testing::ValuesIn(ways()),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace gyre::support
