#include "gyre/text/format.hpp"

#include "gyre/text/printer.hpp"
#include "support/programs.hpp"

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

/// Formats, and formats the result again, which must change nothing.
std::string formatted(const std::string& text) {
  Diagnostics diagnostics;
  const auto once = format("test.gyre", text, diagnostics);
  EXPECT_TRUE(once.has_value()) << render(diagnostics);
  if (!once) return {};
  const auto twice = format("test.gyre", *once, diagnostics);
  EXPECT_EQ(twice, once);
  return *once;
}

std::string formatted_body(const std::string& body) {
  const std::string text = formatted("program p() {\n" + body + "\n}\n");
  const std::string head = "program p() {\n";
  EXPECT_TRUE(text.starts_with(head)) << text;
  return text.substr(head.size(), text.size() - head.size() - 2);
}

TEST(Format, IndentsAndSpaces) {
  EXPECT_EQ(
      formatted("program  p( n:size,m : size ){\nin a:f64 [n,m+1]\n      a[ i , -1 ]=- b*( 3 )\n}"),
      "program p(n: size, m: size) {\n  in a: f64[n, m + 1]\n  a[i, -1] = -b * (3)\n}\n");
}

TEST(Format, OpensBlocksOntoLines) {
  EXPECT_EQ(formatted_body("foreach i in 0 .. n { x[i] = 1;  y[i] = 2 }"),
            "  foreach i in 0..n {\n    x[i] = 1\n    y[i] = 2\n  }\n");
}

TEST(Format, JoinsElseAndTheWhileOfADo) {
  EXPECT_EQ(formatted_body("if a\n{ b = 1 }\nelse if c { }\nelse { d = 1 }\ndo { e = 1 }\nwhile f"),
            "  if a {\n    b = 1\n  } else if c {} else {\n    d = 1\n  }\n  do {\n    e = 1\n"
            "  } while f\n");
}

TEST(Format, JoinsTheArmsOfAFork) {
  EXPECT_EQ(formatted_body("fork { a = 1 }\nand\n{ b = 2; fork {} and {} }"),
            "  fork {\n    a = 1\n  } and {\n    b = 2\n    fork {} and {}\n  }\n");
}

TEST(Format, AWhileAfterABlockIsItsOwnStatement) {
  EXPECT_EQ(formatted_body("if a { }\nwhile b { }"), "  if a {}\n  while b {}\n");
}

TEST(Format, KeepsComments) {
  EXPECT_EQ(
      formatted("# head\nprogram p() { # opens\n# own line\n  x = 1   # trailing  \n\n# last\n} # "
                "end\n# tail"),
      "# head\nprogram p() {  # opens\n  # own line\n  x = 1  # trailing\n\n  # last\n}  # end\n"
      "# tail\n");
}

TEST(Format, KeepsACommentWithinAStatement) {
  EXPECT_EQ(formatted_body("in a: f64, # one\n# two\nb: f64\nx = 1 + # why\n2"),
            "  in a: f64,  # one\n      # two\n      b: f64\n  x = 1 +  # why\n      2\n");
}

TEST(Format, KeepsACommentBetweenABlockAndItsElse) {
  EXPECT_EQ(formatted_body("if a { b = 1 } # so\nelse { b = 2 }"),
            "  if a {\n    b = 1\n  }  # so\n  else {\n    b = 2\n  }\n");
}

TEST(Format, KeepsOneBlankLine) {
  EXPECT_EQ(formatted_body("\n\nx = 1\n\n\n\ny = 2\n\n"), "  x = 1\n\n  y = 2\n");
}

TEST(Format, KeepsLineBreaksWithinAStatement) {
  EXPECT_EQ(formatted_body("x = max(a,\nb) +\n\n  c"), "  x = max(a,\n      b) +\n      c\n");
}

TEST(Format, KeepsCompoundAssignmentsAndParentheses) {
  EXPECT_EQ(formatted_body("x+=(a+b);y  ^=1"), "  x += (a + b)\n  y ^= 1\n");
}

TEST(Format, SpacesFoldsAsThePrinterDoes) {
  EXPECT_EQ(formatted_body("x = sum ( i in 0..n step 2 ) ( a [ i ] )*2"),
            "  x = sum(i in 0..n step 2) (a[i]) * 2\n");
}

TEST(Format, NeedsNoDeclarations) {
  EXPECT_EQ(formatted_body("call anything(x, y)"), "  call anything(x, y)\n");
}

TEST(Format, ReportsErrorsOfSyntax) {
  Diagnostics diagnostics;

  EXPECT_EQ(format("test.gyre", "program p() { x = }", diagnostics), std::nullopt);
  EXPECT_EQ(diagnostics.error_count(), 1u);
}

class FormattedSample : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(FormattedSample, MeansTheSame) {
  const std::string text = support::read_file(GetParam());

  const std::string laid_out = formatted(text);

  EXPECT_EQ(print(support::parse_ok(laid_out)), print(support::parse_ok(text)));
}

TEST_P(FormattedSample, ThePrintersTextStaysAsItIs) {
  const std::string printed = print(support::parse_ok(support::read_file(GetParam())));

  EXPECT_EQ(formatted(printed), printed);
}

INSTANTIATE_TEST_SUITE_P(Samples, FormattedSample, testing::ValuesIn(support::sample_programs()),
                         [](const auto& sample) { return sample.param.stem().string(); });

}  // namespace
}  // namespace gyre::text
