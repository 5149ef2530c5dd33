#include "gyre/text/lexer.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace gyre::text {
namespace {

std::vector<Token> tokens_of(std::string_view text) {
  std::vector<Token> tokens;
  Lexer lexer(text);
  for (Token token = lexer.next(); token.kind != TokenKind::End; token = lexer.next()) {
    tokens.push_back(token);
  }
  return tokens;
}

/// The tokens' texts with one space between.
std::string split(std::string_view text) {
  std::string joined;
  for (const Token& token : tokens_of(text)) {
    if (!joined.empty()) joined += ' ';
    joined += token.text;
  }
  return joined;
}

std::string fault_of(std::string_view text) {
  const auto tokens = tokens_of(text);
  EXPECT_EQ(tokens.size(), 1u) << text;
  if (tokens.empty() || tokens[0].kind != TokenKind::Fault) return {};
  return describe_fault(tokens[0]);
}

TEST(Lexer, DigitsBeforeTwoPointsAreAnInteger) {
  const auto tokens = tokens_of("0..10");

  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[0].kind, TokenKind::Integer);
  EXPECT_TRUE(tokens[1].is(".."));
  EXPECT_EQ(tokens[2].text, "10");
}

TEST(Lexer, ReadsNumbersWithPointAndExponent) {
  for (const char* text : {"1.5", "1.", "1e8", "1E-8", "2.5e+10"}) {
    const auto tokens = tokens_of(text);

    ASSERT_EQ(tokens.size(), 1u) << text;
    EXPECT_EQ(tokens[0].kind, TokenKind::Number) << text;
  }
}

TEST(Lexer, TakesTheLongestSymbol) {
  EXPECT_EQ(split("a<<b<=c<d&&e&f+=1"), "a << b <= c < d && e & f += 1");
}

TEST(Lexer, TellsKeywordsFromNames) {
  const auto tokens = tokens_of("while whiles");

  EXPECT_EQ(tokens[0].kind, TokenKind::Keyword);
  EXPECT_EQ(tokens[1].kind, TokenKind::Name);
}

TEST(Lexer, FunctionNamesAreNotReserved) {
  EXPECT_TRUE(is_name("sum"));
  EXPECT_TRUE(is_name("min"));
  EXPECT_FALSE(is_name("fork"));
  EXPECT_FALSE(is_name("1a"));
  EXPECT_FALSE(is_name(""));
}

TEST(Lexer, CountsLinesColumnsAndNewlines) {
  const auto tokens = tokens_of("a\n\n  b c\r\nd");

  EXPECT_EQ(tokens[1].line, 3u);
  EXPECT_EQ(tokens[1].column, 3u);
  EXPECT_EQ(tokens[1].newlines_before, 2u);
  EXPECT_EQ(tokens[2].newlines_before, 0u);
  EXPECT_EQ(tokens[3].line, 4u);
}

TEST(Lexer, ACommentRunsToTheEndOfItsLine) {
  const auto tokens = tokens_of("a # b \" {\nc");

  ASSERT_EQ(tokens.size(), 3u);
  EXPECT_EQ(tokens[1].kind, TokenKind::Comment);
  EXPECT_EQ(tokens[1].text, "# b \" {");
}

TEST(Lexer, PassesOverAByteOrderMark) {
  EXPECT_EQ(split("\xef\xbb\xbfprogram"), "program");
}

TEST(Lexer, ShowsANulByteAsAnEscape) {
  EXPECT_EQ(fault_of(std::string_view("\0", 1)), "unexpected character '\\x00'");
}

TEST(Lexer, ShowsAByteThatIsNoText) {
  EXPECT_EQ(fault_of("\xff"), "the byte '\\xff' is no UTF-8 text");
}

TEST(Lexer, RunsOfOneFaultAreOneToken) {
  EXPECT_EQ(tokens_of("$$$$$").size(), 1u);
  EXPECT_EQ(tokens_of("\xff\xfe\xfd").size(), 1u);
}

TEST(Lexer, NamesACharacterOfSeveralBytesWhole) {
  EXPECT_EQ(fault_of("≤"),
            "unexpected character '≤' (U+2264); outside comments and strings a program is of ASCII "
            "characters");
}

TEST(Lexer, TellsApartWhatLooksLikeASpace) {
  EXPECT_NE(fault_of("\u00a0").find("(U+00A0)"), std::string::npos);
  EXPECT_NE(fault_of("\U0001F600").find("(U+1F600)"), std::string::npos);
}

TEST(Lexer, RefusesAWordGluedToDigits) {
  EXPECT_EQ(fault_of("0x1F"), "'0x1F' is no number");
  EXPECT_EQ(fault_of("12abc"), "'12abc' is no number");
}

TEST(Lexer, RefusesANumberWithoutADigitBeforeItsPoint) {
  EXPECT_EQ(fault_of(".5"), "'.5' needs a digit before its point");
}

TEST(Lexer, AStringEndsWithItsLine) {
  EXPECT_EQ(fault_of("\"abc"), "the string has no closing '\"' on its line");
  EXPECT_EQ(fault_of("\"abc\\\""), "the string has no closing '\"' on its line");
  EXPECT_EQ(fault_of("\""), "the string has no closing '\"' on its line");
}

TEST(Lexer, RefusesUnknownEscapesAndRawControlBytes) {
  EXPECT_NE(fault_of("\"a\\q\"").find("unknown escape '\\q'"), std::string::npos);
  EXPECT_NE(fault_of("\"a\\x1\"").find("unknown escape"), std::string::npos);
  EXPECT_NE(fault_of("\"a\x01\"").find("'\\x01'"), std::string::npos);
}

TEST(Lexer, StringsSurviveEscapingAndBack) {
  std::string every_byte = "é≤";
  for (int i = 0; i < 256; ++i) every_byte += static_cast<char>(i);

  const std::string quoted = escape(every_byte);

  ASSERT_EQ(tokens_of(quoted).size(), 1u);
  EXPECT_EQ(tokens_of(quoted)[0].kind, TokenKind::String);
  EXPECT_EQ(unescape(quoted), every_byte);
}

TEST(Lexer, CutsALongTokenShortInMessages) {
  const std::string word(1000, 'x');

  EXPECT_LT(describe(tokens_of(word)[0]).size(), 60u);
}

}  // namespace
}  // namespace gyre::text
