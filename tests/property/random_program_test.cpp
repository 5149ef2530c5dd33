#include "support/random_program.hpp"

#include "gyre/executors/cpu.hpp"
#include "gyre/ir/interpret.hpp"
#include "gyre/ir/visitor.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/plan/print_plan.hpp"
#include "gyre/plan/verify_plan.hpp"
#include "gyre/text/parser.hpp"
#include "gyre/text/printer.hpp"
#include "gyre/verifier/verify.hpp"
#include "support/property_run.hpp"
#include "support/same_run.hpp"
#include "support/shrink.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

// A way to run a program; `interpret` is what all others are compared with.
struct Way {
  std::string name;
  std::function<ir::Outcome(const ir::Program&, OwnedArguments& data)> run;
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

ir::Outcome run_reparsed(const ir::Program& program, OwnedArguments& data) {
  const ir::Program reparsed = text::parse_program("printed.gyre", text::print(program));
  return interpret(reparsed, data.view(reparsed));
}

// Interprets what the first `count` passes make of a program.
ir::Outcome run_after_passes(std::size_t count, ir::Program program, OwnedArguments& data) {
  for (const passes::PassInfo& pass : passes::pipeline().first(count)) {
    program = pass.run(std::move(program));
  }
  return run_interpret(program, data);
}

// Runs the plan on the cpu executor with so many threads.
ir::Outcome run_on_cpu(int threads, bool checked, const ir::Program& program,
                       OwnedArguments& data) {
  const auto plan =
      std::make_shared<const plan::Plan>(plan::make_plan(passes::run_passes(program)));
  return executors::make_cpu_executor(plan, {threads})
      ->run(ir::resolve(plan->symbols, data.view(program)), {.checked = checked});
}

// Adding a way to run programs is adding a row.
std::vector<Way> ways() {
  std::vector<Way> rows = {{"InterpretChecked", run_interpret_checked},
                           {"InterpretReparsed", run_reparsed}};
  for (std::size_t count = 1; count <= passes::pipeline().size(); ++count) {
    rows.push_back({"After_" + std::string(passes::pipeline()[count - 1].name),
                    [count](const ir::Program& program, OwnedArguments& data) {
                      return run_after_passes(count, program, data);
                    }});
  }
  for (const int threads : {1, 2, 7}) {
    rows.push_back({"Cpu_" + std::to_string(threads),
                    [threads](const ir::Program& program, OwnedArguments& data) {
                      return run_on_cpu(threads, false, program, data);
                    }});
  }
  rows.push_back({"CpuChecked", [](const ir::Program& program, OwnedArguments& data) {
                    return run_on_cpu(1, true, program, data);
                  }});
  return rows;
}

::testing::AssertionResult agrees(const Way& way, const ir::Program& program,
                                  const OwnedArguments& start) {
  Run expected{{}, start};
  Run actual{{}, start};
  try {
    expected.outcome = run_interpret(program, expected.data);
    actual.outcome = way.run(program, actual.data);
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

// The names of all kinds of regions, operators and folds in `program`.
std::set<std::string> vocabulary(const ir::Program& program) {
  std::set<std::string> words;
  ir::for_each_region(program.body, [&](const ir::Region& region) {
    words.insert("region " + std::to_string(region->kind.index()));
    if (const auto* foreach = ir::as<ir::Foreach>(region); foreach && foreach->independent) {
      words.insert("independent");
    }
    if (const auto* scatter = ir::as<ir::Scatter>(region); scatter && scatter->accumulate) {
      words.insert("scatter +=");
    }
  });
  ir::for_each_expr(program.body, [&](const ir::Expr& expr) {
    if (const auto* apply = ir::as<ir::Apply>(expr)) {
      words.insert(std::string(info(apply->op).function) + std::string(name_of(expr->type)));
    }
    if (const auto* fold = ir::as<ir::Fold>(expr)) words.insert(std::string(name_of(fold->op)));
  });
  return words;
}

TEST(RandomPrograms, UseTheWholeLanguageButCallsAndInexactFunctions) {
  std::set<std::string> used;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    used.merge(vocabulary(random_program(seed).program));
  }

  for (std::size_t kind = 0; kind < std::variant_size_v<ir::RegionKind>; ++kind) {
    const bool is_left_out = kind == ir::RegionKind(ir::Call{}).index() ||
                             kind == ir::RegionKind(ir::CheckStep{}).index() ||
                             kind == ir::RegionKind(ir::CountTrips{}).index();
    EXPECT_EQ(used.contains("region " + std::to_string(kind)), !is_left_out) << kind;
  }
  for (const ir::FoldOp fold : ir::all_folds())
    EXPECT_TRUE(used.contains(std::string(name_of(fold))));
  for (const ir::OpInfo& row : ir::all_ops()) {
    for (const auto type : {ir::ScalarType::Bool, ir::ScalarType::I32, ir::ScalarType::I64,
                            ir::ScalarType::F32, ir::ScalarType::F64}) {
      const bool gives_bool = row.result == ir::ResultClass::Bool;
      const bool is_possible =
          gives_bool ? type == ir::ScalarType::Bool : admits(row.operands, type);
      const auto word = std::string(row.function) + std::string(name_of(type));
      EXPECT_EQ(used.contains(word), is_possible && row.bits == ir::OpBits::Exact) << word;
    }
  }
  EXPECT_TRUE(used.contains("independent"));
  EXPECT_TRUE(used.contains("scatter +="));
}

TEST(RandomPrograms, EndInEveryWayThatNeedsNoHelp) {
  std::set<std::pair<ir::Status, ir::FaultKind>> ends;
  for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
    RandomProgram made = random_program(seed);
    const ir::Outcome outcome = interpret(made.program, made.data.view(made.program));
    ends.emplace(outcome.status, outcome.fault);
  }

  const std::set<std::pair<ir::Status, ir::FaultKind>> expected = {
      {ir::Status::Completed, ir::FaultKind::None},
      {ir::Status::Stopped, ir::FaultKind::None},
      {ir::Status::TripLimit, ir::FaultKind::None},
      {ir::Status::Fault, ir::FaultKind::OutOfBounds},
      {ir::Status::Fault, ir::FaultKind::ZeroStep}};
  EXPECT_EQ(ends, expected);
}

TEST(RandomPrograms, BecomePlansThatObeyEveryRule) {
  for_each_seed([](std::uint64_t seed) {
    const plan::Plan plan = plan::make_plan(passes::run_passes(random_program(seed).program));

    EXPECT_EQ(plan::verify_plan(plan), std::vector<std::string>()) << "seed " << seed << "\n"
                                                                   << plan::print_plan(plan);
  });
}

class RandomProgramsRun : public ::testing::TestWithParam<Way> {};

TEST_P(RandomProgramsRun, AsInterpretSays) {
  const Way& way = GetParam();
  for_each_seed([&](std::uint64_t seed) {
    const RandomProgram made = random_program(seed);

    const auto result = agrees(way, made.program, made.data);

    if (result) return;
    const ir::Program small = shrink(
        made.program, [&](const ir::Program& program) { return !agrees(way, program, made.data); });
    ADD_FAILURE() << way.name << ", seed " << seed << ": " << result.message()
                  << "\nshrunk: " << agrees(way, small, made.data).message() << '\n'
                  << text::print(small);
  });
}

INSTANTIATE_TEST_SUITE_P(Ways, RandomProgramsRun, ::testing::ValuesIn(ways()),
                         [](const auto& way) { return way.param.name; });

}  // namespace
}  // namespace gyre::support
