/// Maxima of what is read and verified, and what lies past them.
#include "gyre/text/parser.hpp"
#include "gyre/verifier/verify.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace gyre {
namespace {

std::string repeated(std::string_view text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// What the parser, and where it is satisfied the verifier, says of `text`.
Diagnostics check(std::string text) {
  Diagnostics diagnostics;
  const auto program = text::parse("limit.gyre", std::move(text), diagnostics);
  if (program) verifier::verify(*program, diagnostics);
  return diagnostics;
}

std::string program_of(const std::string& statements) {
  return "program p(n: size) {\n  inout k: i32, x: f64[n]\n" + statements + "}\n";
}

TEST(CheckedPrograms, LoopsMayBeNestedTwoHundredDeep) {
  const auto said = check(program_of(repeated("while k > 0 {\n", 200) + repeated("}\n", 200)));

  EXPECT_EQ(render(said), "");
}

TEST(CheckedPrograms, LoopsNestedPastTheLimitAreOneErrorEach) {
  for (const int depth : {257, 1000, 100000}) {
    const auto said =
        check(program_of(repeated("while k > 0 {\n", depth) + repeated("}\n", depth)));

    EXPECT_EQ(said.error_count(), 1u) << depth;
  }
}

TEST(CheckedPrograms, ExpressionsNestedPastTheLimitAreErrors) {
  for (const int depth : {1000, 100000}) {
    const auto minuses = repeated("-", depth) + "k";
    const auto sums = "k" + repeated(" + k", depth);

    EXPECT_TRUE(check(program_of("  k = " + minuses + "\n")).has_errors()) << depth;
    EXPECT_TRUE(check(program_of("  k = " + sums + "\n")).has_errors()) << depth;
  }
}

// Parentheses add nothing to the tree, so that only the parser's own recursion bounds them.
TEST(CheckedPrograms, ParenthesesMayBeNestedAThousandDeepAndNotEndlessly) {
  const auto in_parentheses = [](int depth) {
    return program_of("  k = " + repeated("(", depth) + "k" + repeated(")", depth) + "\n");
  };

  EXPECT_EQ(render(check(in_parentheses(1000))), "");
  EXPECT_TRUE(check(in_parentheses(100000)).has_errors());
}

TEST(CheckedPrograms, ASwitchMayHaveFiveThousandCases) {
  std::string cases;
  for (int i = 0; i < 5000; ++i) cases += "case " + std::to_string(i) + " { k = 1 }\n";

  EXPECT_EQ(render(check(program_of("switch k {\n" + cases + "}\n"))), "");
}

TEST(CheckedPrograms, FourThousandBranchesMayFollowEachOther) {
  const auto branch = "if k > 0 { foreach i in 0..n { x[i] += 1.0 } }\n";

  EXPECT_EQ(render(check(program_of(repeated(branch, 4096)))), "");
}

TEST(CheckedPrograms, TenMegabytesOfGarbageAreRefused) {
  for (const std::string_view unit : {"}{", "\xff\x01", "while ", "a.b;", "\"\n", "0..", "(("}) {
    const auto said = check(repeated(unit, 10'000'000 / static_cast<int>(unit.size())));

    EXPECT_TRUE(said.has_errors()) << unit;
    EXPECT_LE(said.all().size(), Diagnostics::max_kept) << unit;
  }
}

TEST(CheckedPrograms, ManyFaultsAreCountedAndAHundredAreShown) {
  const auto said = check(program_of(repeated("  k = true\n", 20000)));

  EXPECT_EQ(said.error_count(), 20000u);
  EXPECT_EQ(said.all().size(), Diagnostics::max_kept);
}

}  // namespace
}  // namespace gyre
