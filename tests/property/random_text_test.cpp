// Random programs, as they are and after each pass, stay what they are through their text.
#include "gyre/passes/pipeline.hpp"
#include "gyre/text/format.hpp"
#include "gyre/text/parser.hpp"
#include "gyre/text/printer.hpp"
#include "support/property_run.hpp"
#include "support/random_call.hpp"
#include "support/random_program.hpp"

#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace gyre::support {
namespace {

// Empty where a program that was printed as `once` survives being parsed, else what happened to it.
std::string round_trip_fault(const std::string& once) {
  Diagnostics diagnostics;
  const auto parsed = text::parse("printed.gyre", once, diagnostics, mixing_calls());
  if (!parsed) return render(diagnostics) + once;
  const std::string twice = text::print(*parsed);
  return twice == once ? "" : "printed:\n" + once + "printed again:\n" + twice;
}

TEST(RandomTexts, PrintedProgramsPrintTheSameOnceParsed) {
  for_each_seed([](std::uint64_t seed) {
    const RandomProgram made = random_program(seed);

    EXPECT_EQ(round_trip_fault(text::print(made.program)), "") << "seed " << seed;
  });
}

TEST(RandomTexts, ProgramsAfterEachPassPrintTheSameOnceParsed) {
  for_each_seed([](std::uint64_t seed) {
    std::string checked;
    passes::run_passes(
        random_program(seed).program,
        [&](const passes::PassInfo& pass, const ir::Program&, const ir::Program& after) {
          std::string printed = text::print(after);
          // A pass that changes nothing leaves nothing to find.
          if (printed == checked) return;
          EXPECT_EQ(round_trip_fault(printed), "") << "seed " << seed << " after " << pass.name;
          checked = std::move(printed);
        });
  });
}

TEST(RandomTexts, TheFormatterLeavesPrintedProgramsAlone) {
  for_each_seed([](std::uint64_t seed) {
    const std::string printed = text::print(random_program(seed).program);
    Diagnostics diagnostics;

    EXPECT_EQ(text::format("printed.gyre", printed, diagnostics), printed) << "seed " << seed;
  });
}

}  // namespace
}  // namespace gyre::support
