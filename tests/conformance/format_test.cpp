// The form of the suite's files: what their words mean, and that what is ill written is said.
#include "gyre/text/parser.hpp"
#include "support/conformance_arguments.hpp"
#include "support/conformance_file.hpp"
#include "support/conformance_report.hpp"
#include "support/contents.hpp"
#include "support/programs.hpp"
#include "support/words.hpp"

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::support {
namespace {

using ir::ScalarType;
using Doubles = std::vector<double>;
using Ints = std::vector<std::int32_t>;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr double inf = std::numeric_limits<double>::infinity();

template <class Function>
std::string complaint(Function function) {
  try {
    function();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

OwnedBuffer filled(ScalarType type, std::vector<std::int64_t> extents, std::string_view words) {
  OwnedArguments data;
  data.add("x", type, std::move(extents));
  fill_contents(data.buffers.at("x"), words);
  return data.buffers.at("x");
}

template <class T>
std::vector<T> elements(std::int64_t count, std::string_view words) {
  OwnedArguments data;
  data.buffers.emplace("x", filled(ir::type_of<T>, {count}, words));
  return data.elements<T>("x");
}

TEST(ConformanceFile, EachRunIsGivenWhatTheOneBeforeWasGivenWithChanges) {
  const auto file = parse_conformance(
      "program p() { }\n"
      "#: n=3 x=[1, 2 3] --checked\n#= completed\n#> s = 1\n"
      "# Why.\n#: x=iota \\\n#:   --max-trips=7\n#= completed\n");

  ASSERT_EQ(file.runs.size(), 2U);
  EXPECT_EQ(file.program, "program p() { }\n");
  EXPECT_EQ(file.runs[0].given.at("x"), "[1, 2 3]");
  EXPECT_TRUE(file.runs[0].checked);
  EXPECT_EQ(file.runs[0].results, "#= completed\n#> s = 1\n");
  EXPECT_EQ(file.runs[1].given.at("n"), "3");
  EXPECT_EQ(file.runs[1].given.at("x"), "iota");
  EXPECT_FALSE(file.runs[1].checked);
  EXPECT_EQ(file.runs[1].max_trips, 7U);
}

TEST(ConformanceFile, ResultsAreReplacedAndCommentsStay) {
  const std::string text =
      "program p() { }\n\n#: n=3\n#= old\n# Why.\n\n#: n=4\n#= old\n#> s = 1\n# The end.\n";

  const std::string written = with_results(parse_conformance(text), {"#= new\n", "#= newer\n"});

  EXPECT_EQ(written, "program p() { }\n\n#: n=3\n#= new\n# Why.\n\n#: n=4\n#= newer\n# The end.\n");
}

TEST(ConformanceFile, SaysWhichLineIsIllWritten) {
  const auto said = [](const std::string& text) {
    return complaint([&] { parse_conformance(text); });
  };

  EXPECT_THAT(said("#= completed\n"), HasSubstr("line 1: a result without a run"));
  EXPECT_THAT(said("#: n\n"), HasSubstr("line 1: 'n' is not NAME=CONTENTS"));
  EXPECT_THAT(said("#: n=1 n=2\n"), HasSubstr("'n' is given twice"));
  EXPECT_THAT(said("#: n=1\n#= completed\nprogram"), HasSubstr("line 3: the program goes on"));
  EXPECT_THAT(said("#: n=1 \\\n#= completed\n"), HasSubstr("line 2: a run goes on"));
}

TEST(ConformanceContents, ListsArePutRowByRow) {
  EXPECT_THAT(elements<double>(4, "[1 -0.5, inf 0x1p-53]"), ElementsAre(1, -0.5, inf, 0x1p-53));
  EXPECT_EQ(filled(ScalarType::I32, {2, 2}, "[1 2 | 3 4]").at(2).as<std::int32_t>(), 3);
  EXPECT_THAT(complaint([] { elements<double>(3, "[1 2]"); }), HasSubstr("2 elements"));
  EXPECT_THAT(complaint([] {
                filled(ScalarType::I32, {2, 2}, "[1 | 2 3 4]");
              }),
              HasSubstr("a bar stands within a row"));
}

TEST(ConformanceContents, PatternsNeedNoList) {
  EXPECT_EQ(elements<std::int32_t>(4, "iota"), (Ints{0, 1, 2, 3}));
  EXPECT_EQ(elements<std::int32_t>(3, "iota(5, -2)"), (Ints{5, 3, 1}));
  EXPECT_EQ(elements<double>(3, "iota(0.5, 0.25)"), (Doubles{0.5, 0.75, 1}));
  EXPECT_EQ(elements<std::int32_t>(3, "all(7)"), (Ints{7, 7, 7}));
  EXPECT_EQ(elements<std::int32_t>(5, "cycle(1, greatest)"),
            (Ints{1, 2147483647, 1, 2147483647, 1}));
  EXPECT_EQ(elements<std::int32_t>(4, "iota{1: -9, 3: 7}"), (Ints{0, -9, 2, 7}));
  EXPECT_THAT(complaint([] { elements<double>(3, "iota{3: 1}"); }), HasSubstr("no element 3"));
  EXPECT_THAT(complaint([] { elements<double>(3, "zeros"); }), HasSubstr("expected"));
}

TEST(ConformanceContents, RandomNumbersAreTheSameEveryTime) {
  const auto numbers = elements<double>(1000, "random(7)");

  EXPECT_EQ(numbers, elements<double>(1000, "random(7)"));
  EXPECT_NE(numbers, elements<double>(1000, "random(8)"));
  for (const double number : numbers) {
    EXPECT_GE(std::abs(number), 1.0 / 16);
    EXPECT_LT(std::abs(number), 16);
  }
  for (const std::int32_t number : elements<std::int32_t>(1000, "random(7)")) {
    EXPECT_LE(std::abs(number), 100);
  }
}

TEST(ConformanceContents, BoolsMayBeAnyByte) {
  const OwnedBuffer flags = filled(ScalarType::Bool, {4}, "[true false 2 255]");

  EXPECT_EQ(flags.bytes, (std::vector{std::byte{1}, std::byte{0}, std::byte{2}, std::byte{255}}));
}

ir::Program program_of(const std::string& body) {
  return text::parse_program("p.gyre", "program p(n: size) {\n" + body + "\n}\n");
}

TEST(ConformanceArguments, OutputsStartAsRubbish) {
  const ir::Program program = program_of("in x: i32[n + 1], k: i64\nout y: i32[2 * n]");
  const ConformanceRun run{.given = {{"n", "1"}, {"x", "iota"}, {"k", "least"}}};

  const OwnedArguments data = make_arguments(program, run, std::byte{0xFF});

  EXPECT_EQ(data.elements<std::int32_t>("x"), (Ints{0, 1}));
  EXPECT_EQ(data.elements<std::int32_t>("y"), (Ints{-1, -1}));
  EXPECT_EQ(data.scalars.at("k").as<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
}

TEST(ConformanceArguments, AreCompleteAndKnown) {
  const ir::Program program = program_of("in x: i32[n], k: i32, deflt: i32 = 3");
  const auto said = [&](std::map<std::string, std::string> given) {
    return complaint(
        [&] { make_arguments(program, ConformanceRun{.given = std::move(given)}, std::byte{0}); });
  };

  EXPECT_EQ(said({{"n", "1"}, {"x", "iota"}, {"k", "1"}}), "none");
  EXPECT_THAT(said({{"x", "iota"}, {"k", "1"}}), HasSubstr("n: this size is not given"));
  EXPECT_THAT(said({{"n", "1"}, {"k", "1"}}), HasSubstr("x: this buffer is not given"));
  EXPECT_THAT(said({{"n", "1"}, {"x", "iota"}}), HasSubstr("k: this input is not given"));
  EXPECT_THAT(said({{"n", "1"}, {"x", "iota"}, {"k", "1.5"}}), HasSubstr("'1.5' is no i32"));
  EXPECT_THAT(said({{"n", "1"}, {"x", "iota"}, {"k", "1"}, {"q", "1"}}),
              HasSubstr("q: the program has nothing"));
}

Run run_with(double first, std::int64_t count) {
  Run run;
  run.outcome.scalars["s"] = ir::Value(-0.0);
  run.data.add("x", ScalarType::F64, {count});
  ir::store_element(ScalarType::F64, run.data.buffers.at("x").bytes.data(), 0, ir::Value(first));
  return run;
}

TEST(ConformanceReport, TellsEveryBit) {
  const ir::Program program = program_of("out s: f64, x: f64[n]");

  EXPECT_EQ(report(program, run_with(-0.1, 3)), "#= completed\n#> s = -0.0\n#> x = -0.1 0.0 0.0\n");
  EXPECT_NE(report(program, run_with(0.0, 1000)), report(program, run_with(-0.0, 1000)));
  EXPECT_EQ(report(program, run_with(std::nan("1"), 1000)),
            report(program, run_with(-std::nan("2"), 1000)));
}

TEST(ConformanceReport, LeavesOutWhatTheLanguageLeavesOpen) {
  const ir::Program program = program_of("out s: f64, x: f64[n]");
  support::Run run = run_with(1, 3);
  run.outcome.status = ir::Status::Fault;
  run.outcome.fault = ir::FaultKind::BrokenPromise;
  run.outcome.region = "p/foreach#0";
  run.outcome.detail = "two indices meet at x[2], which one of them writes";

  EXPECT_EQ(report(program, run),
            "#= fault broken_promise in p/foreach#0: two indices meet at x[...], which one of them "
            "writes\n");
}

TEST(ConformanceReport, ShowsRowsArmsAndTrips) {
  const ir::Program program = program_of("out x: i32[2, 2]");
  support::Run run;
  run.data.buffers.emplace("x", filled(ScalarType::I32, {2, 2}, "iota"));
  run.outcome.trips["p/while#0"] = 3;
  run.outcome.arms["p/if#0"] = {1, 2};
  run.outcome.arms["p/switch#0"] = {1, 0, 4};

  EXPECT_EQ(report(program, run),
            "#= completed\n#> trips p/while#0: 3\n#> arms p/if#0: then 1, else 2\n"
            "#> arms p/switch#0: cases 1, 0; default 4\n#> x = 0 1 | 2 3\n");
}

}  // namespace
}  // namespace gyre::support
