// Texts at the edge of what the parser takes: deep, long, wide, and no program at all.
#include "gyre/text/format.hpp"
#include "gyre/text/printer.hpp"
#include "support/programs.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

using support::diagnose;
using support::parse_ok;
using support::rules_of;

std::string repeat(const std::string& text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string in_program(const std::string& body) {
  return "program p(n: size) {\nvar s: i64\n" + body + "\n}\n";
}

constexpr std::size_t ten_megabytes = 10'000'000;

TEST(TextLimits, TenMegabytesOfGarbageEndInAFewDiagnostics) {
  for (const char* piece : {"(", "$\n", "let "}) {
    const std::string garbage = repeat(piece, ten_megabytes / std::string_view(piece).size());

    EXPECT_LE(diagnose(in_program(garbage)).all().size(), Diagnostics::max_kept) << piece;
  }
}

TEST(TextLimits, GarbageOfAnyKindEndsInAHundredDiagnostics) {
  for (const char* piece : {"(",      "{",        "}",    "[",
                            "\"",     "$",        "x ",   "x\n",
                            "let ",   "-",        "!",    "if {",
                            "\xff",   "1",        "a + ", "foo = bar\n",
                            "else\n", "case 1\n", "i32(", "sum(i in 0..",
                            "# c\n",  ";",        "\n",   "program p() {\n"}) {
    const std::string garbage = repeat(piece, 100'000);

    EXPECT_LE(diagnose(garbage).all().size(), Diagnostics::max_kept) << piece;
    EXPECT_LE(diagnose(in_program(garbage)).all().size(), Diagnostics::max_kept) << piece;
  }
}

TEST(TextLimits, ZeroBytesAreReportedOnce) {
  EXPECT_EQ(rules_of(diagnose(std::string(ten_megabytes, '\0'))), "bad-token:1");
}

TEST(TextLimits, FourThousandBranchesInARow) {
  const auto program = parse_ok(in_program(repeat("if s > 3 { s -= 1 } else { s += 1 }\n", 4096)));

  EXPECT_EQ(ir::as<ir::Seq>(program.body)->items.size(), 4097u);
  EXPECT_EQ(print(parse_ok(print(program))), print(program));
}

TEST(TextLimits, AnElseIfChainIsBoundedAsBlocksAre) {
  const std::string link = " else if s > 3 { s -= 1 }";

  EXPECT_EQ(rules_of(diagnose(in_program("if s > 4 {}" + repeat(link, 200)))), "");
  EXPECT_EQ(rules_of(diagnose(in_program("if s > 4 {}" + repeat(link, 5000)))), "nesting:3");
}

TEST(TextLimits, ASwitchOfFiveThousandCases) {
  std::string cases;
  for (int i = 0; i < 5000; ++i) cases += "case " + std::to_string(i) + " { s += 1 }\n";

  const auto program = parse_ok(in_program("switch s {\n" + cases + "}"));

  EXPECT_EQ(print(parse_ok(print(program))), print(program));
}

TEST(TextLimits, TwoHundredNestedLoops) {
  const std::string body = repeat("while s > 0 {\n", 200) + "s -= 1\n" + repeat("}\n", 200);

  const auto program = parse_ok(in_program(body));

  EXPECT_EQ(print(parse_ok(print(program))), print(program));
}

TEST(TextLimits, BlocksNestedTooDeepAreOneFault) {
  for (const std::size_t depth : {300u, 100'000u}) {
    const std::string body = repeat("if s > 0 {\n", depth) + repeat("}\n", depth);

    EXPECT_EQ(rules_of(diagnose(in_program(body))), "nesting:258");
  }
}

TEST(TextLimits, AnExpressionAtTheGreatestDepthSurvivesItsText) {
  const std::size_t depth = ir::max_expr_depth - 1;
  for (const auto& [open, close] :
       {std::pair{"-(", ")"}, {"abs(", ")"}, {"s - (", ")"}, {"2 * (1 + ", ")"}}) {
    const std::size_t levels =
        std::string_view(open).find('+') == std::string_view::npos ? depth : depth / 2;
    const auto program =
        parse_ok(in_program("s = " + repeat(open, levels) + "s" + repeat(close, levels)));

    EXPECT_EQ(print(parse_ok(print(program))), print(program)) << open;
  }
}

TEST(TextLimits, DeeperExpressionsAreOneFault) {
  for (const char* open : {"-", "(", "abs(", "s + (", "sum(i in 0..", "!"}) {
    EXPECT_EQ(rules_of(diagnose(in_program("s = " + repeat(open, 100'000)))), "nesting:3") << open;
  }
  EXPECT_EQ(rules_of(diagnose(in_program("s = s" + repeat(" + s", 100'000)))), "nesting:3");
}

TEST(TextLimits, ALongProgramIsLaidOut) {
  Diagnostics diagnostics;
  const std::string text = in_program(repeat("s+=1;", 200'000));

  const auto formatted = format("long.gyre", text, diagnostics);

  EXPECT_EQ(formatted,
            "program p(n: size) {\n  var s: i64\n" + repeat("  s += 1\n", 200'000) + "}\n");
}

}  // namespace
}  // namespace gyre::text
