#include "gyre/base/error.hpp"
#include "gyre/text/parser.hpp"
#include "support/programs.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

using support::diagnose;
using support::diagnose_body;
using support::rules_of;

TEST(ParserFaults, ReportsWithRuleLineAndCaret) {
  const auto diagnostics = diagnose("program p() {\n  var alpha: f64\n  alpha = aplha + 1\n}\n");

  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(render(diagnostics),
            "test.gyre:3:11: error: unknown name 'aplha' [unknown-name]\n"
            "  3 |   alpha = aplha + 1\n"
            "    |           ^~~~~\n"
            "  hint: did you mean 'alpha'?\n");
}

TEST(ParserFaults, ThrowsWhereAskedForAProgram) {
  EXPECT_THROW(parse_program("x.gyre", "program"), ProgramError);
}

TEST(ParserNames, ReportsAnUnknownNameOnce) {
  EXPECT_EQ(rules_of(diagnose_body("var s: i32\ns = who + who\ns = who")), "unknown-name:3");
}

TEST(ParserNames, ReportsUseBeforeDeclaration) {
  const auto diagnostics = diagnose_body("var s: i32\nwhile s < t { s += 1 }\nvar t: i32");

  EXPECT_EQ(rules_of(diagnostics), "used-before-declaration:3");
}

TEST(ParserNames, ExplainsANameOfAnEndedBlock) {
  const auto diagnostics =
      diagnose_body("var s: i32\nif s > 0 { let t = 1 } else { let t = 2 }\ns = t");

  ASSERT_EQ(rules_of(diagnostics), "ended-scope:4");
  EXPECT_NE(diagnostics.all()[0].message.find("only in its own block"), std::string::npos);
}

TEST(ParserNames, RefusesRedeclaration) {
  EXPECT_EQ(rules_of(diagnose_body("var s: i32\nlet s = 1")), "redeclared:3");
  EXPECT_EQ(rules_of(diagnose_body("let n = 1")), "shadowed:2");
}

TEST(ParserNames, RefusesHidingAnOuterName) {
  EXPECT_EQ(rules_of(diagnose_body("var s: i32\nif true { let s = 1 }")), "shadowed:3");
  EXPECT_EQ(rules_of(diagnose_body("foreach n in 0..4 {}")), "shadowed:2");
}

TEST(ParserNames, SiblingBlocksMayReuseAName) {
  EXPECT_EQ(rules_of(diagnose_body("for i in 0..n { let t = i }\nfor i in 0..n { let t = i }")),
            "");
}

TEST(ParserNames, AnIndexLivesInItsLoopOnly) {
  EXPECT_EQ(rules_of(diagnose_body("for i in 0..n {}\nlet t = i")), "unknown-name:3");
}

TEST(ParserNames, BoundsCannotReadTheIndexBesideThem) {
  const auto diagnostics = diagnose_body("foreach i in 0..n, j in 0..i {}");

  ASSERT_EQ(rules_of(diagnostics), "unknown-name:2");
  EXPECT_EQ(diagnostics.all()[0].hint, "nest one loop in the other");
}

TEST(ParserNames, RefusesKeywordsAsNames) {
  EXPECT_EQ(rules_of(diagnose_body("let while = 1\nvar limit: i32")),
            "keyword-as-name:2 keyword-as-name:3");
}

TEST(ParserNames, SuggestsFunctionsTypesAndCalls) {
  const CallRegistry calls = {{"spmv", std::make_shared<const ir::Callee>()}};

  const auto diagnostics =
      diagnose("program p() {\n var s: f46\n let t = sqtr(2.0)\n call spvm()\n}", calls);

  ASSERT_EQ(rules_of(diagnostics), "unknown-type:2 unknown-function:3 unknown-call:4");
  EXPECT_EQ(diagnostics.all()[0].hint, "did you mean 'f64'?");
  EXPECT_EQ(diagnostics.all()[1].hint, "did you mean 'sqrt'?");
  EXPECT_EQ(diagnostics.all()[2].hint, "did you mean 'spmv'?");
}

TEST(ParserPlaces, RefusesWhatIsNoPlace) {
  EXPECT_EQ(rules_of(diagnose_body("let a = 1\na = 2\nn = 3\nfor i in 0..n { i = 1 }")),
            "not-a-place:3 not-a-place:4 not-a-place:5");
}

TEST(ParserPlaces, TellsBuffersFromScalars) {
  EXPECT_EQ(rules_of(diagnose_body(
                "var s: i32, b: i32[n]\ns[0] = 1\nb = 1\ns = b\ns = s[0]\nfill s = 1")),
            "not-a-buffer:3 buffer-without-index:4 buffer-without-index:5 not-a-buffer:6 "
            "not-a-buffer:7");
}

TEST(ParserSyntax, CountsOperands) {
  EXPECT_EQ(
      rules_of(diagnose_body("let a = sqrt(1.0, 2.0)\nlet b = select(true, 1)\nlet c = abs()")),
      "operand-count:2 operand-count:3 operand-count:4");
}

TEST(ParserSyntax, FindsManyFaultsInOneRun) {
  EXPECT_EQ(
      rules_of(diagnose_body("var s: i32\ns = \ns = )\nwhile {}\ns + 1\nlet = 3\ns = 1 2\nx = 1")),
      "syntax:3 syntax:4 syntax:5 syntax:6 syntax:7 syntax:8 unknown-name:9");
}

TEST(ParserSyntax, AFaultyDeclarationKeepsItsUsesSilent) {
  EXPECT_EQ(rules_of(diagnose_body("let a = 1 +\nlet b = a\nvar c: = 4\nlet d = c + b")),
            "syntax:3 syntax:4");
}

TEST(ParserSyntax, GoesOnWithinASwitch) {
  EXPECT_EQ(
      rules_of(diagnose_body("switch n {\ncase n {}\ncase 1 { foo }\ncase 2.5 {}\n}\nlet a = b")),
      "syntax:3 syntax:4 syntax:5 unknown-name:7");
}

TEST(ParserSyntax, NamesTheBraceThatIsNotClosed) {
  EXPECT_EQ(rules_of(diagnose("program p() {\nif true {\nwhile true {\n")), "unclosed-block:3");
}

TEST(ParserSyntax, SaysThatComparisonsDoNotChain) {
  EXPECT_EQ(rules_of(diagnose_body("let a = 1 < 2 < 3\nlet b = 1 < 2 && 2 < 3")),
            "chained-comparison:2");
}

TEST(ParserSyntax, SaysWhereAndBelongs) {
  const auto diagnostics =
      diagnose_body("fork { let a = 1 } and\n{ let b = 2 }\nand { let c = d }");

  ASSERT_EQ(rules_of(diagnostics), "unknown-name:4");
  EXPECT_EQ(diagnose_body("let a = 1\nand { let b = 2 }").all()[0].hint,
            "'and' follows the '}' of an arm of its 'fork'");
}

TEST(ParserSyntax, AForkWithoutABlockIsTold) {
  EXPECT_EQ(rules_of(diagnose_body("fork\nlet c = d")), "syntax:3 unknown-name:3");
}

TEST(ParserSyntax, SaysWhichTeamsThereAre) {
  const auto diagnostics = diagnose_body("foreach i in 0..n team spirit {}");

  ASSERT_EQ(rules_of(diagnostics), "syntax:2");
  EXPECT_EQ(diagnostics.all()[0].message,
            "expected 'warp' or 'block' after 'team', found 'spirit'");
}

TEST(ParserSyntax, RefusesLiteralsOutOfRange) {
  EXPECT_EQ(rules_of(diagnose_body("let a = 9223372036854775808\nlet b = 99999999999999999999999\n"
                                   "let c = 1e999\nlet d = -9223372036854775809")),
            "literal-range:2 literal-range:3 literal-range:4 literal-range:5");
}

TEST(ParserSyntax, WantsAConditionInParentheses) {
  EXPECT_EQ(rules_of(diagnose_body("let a = any(i in 0..n) i > 3")), "syntax:2");
}

TEST(ParserSyntax, AnOperatorBelongsAtTheEndOfALine) {
  const auto diagnostics = diagnose_body("var s: i32\ns = 1\n  + 2");

  ASSERT_EQ(rules_of(diagnostics), "syntax:4");
  EXPECT_EQ(diagnostics.all()[0].hint, "a line goes on after an operator, not before one");
}

TEST(ParserSyntax, RefusesTextAfterTheProgram) {
  EXPECT_EQ(rules_of(diagnose("program p() {}\n}")), "syntax:2");
}

TEST(ParserSyntax, AnEmptyTextIsOneSentence) {
  EXPECT_EQ(rules_of(diagnose("")), "syntax:1");
}

TEST(ParserSyntax, EveryPrefixOfAProgramIsOneOrMoreDiagnostics) {
  std::string text = support::read_file(support::in_repository("samples/programs/cg.gyre"));
  text.erase(text.find_last_of('}'));

  for (std::size_t length = 0; length < text.size(); length += 7) {
    EXPECT_TRUE(diagnose(text.substr(0, length)).has_errors()) << length;
  }
}

}  // namespace
}  // namespace gyre::text
