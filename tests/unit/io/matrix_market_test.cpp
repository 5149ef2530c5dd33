#include "gyre/io/matrix_market.hpp"

#include "gyre/base/error.hpp"
#include "support/refusal.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

const std::string general = "%%MatrixMarket matrix coordinate real general\n";
const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string array = "%%MatrixMarket matrix array real general\n";

CsrMatrix parse(const std::string& text) {
  return parse_matrix(text, "m.mtx");
}

std::vector<double> dense(const std::string& text) {
  return parse_dense(text, "m.mtx").val;
}

// The message with which `text` is refused, or "accepted".
std::string market_refusal(const std::string& text) {
  return support::refusal([&] { parse(text); });
}

// Whether `text` is refused at `place` ("line:col") with `message`.
::testing::AssertionResult refused(const std::string& text, const std::string& place,
                                   const std::string& message) {
  const auto found = market_refusal(text);
  if (found.starts_with("m.mtx:" + place + ": error: ") &&
      found.find(message) != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << found;
}

TEST(MatrixMarket, ReadsCoordinates) {
  const auto matrix = parse(general + "2 3 3\n1 1 1.5\n2 3 -2\n1 2 4\n");

  EXPECT_EQ(matrix.rows, 2);
  EXPECT_EQ(matrix.cols, 3);
  EXPECT_EQ(matrix.row, (std::vector<std::int32_t>{0, 2, 3}));
  EXPECT_EQ(matrix.col, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(matrix.val, (std::vector<double>{1.5, 4, -2}));
}

TEST(MatrixMarket, SumsDuplicates) {
  const auto matrix = parse(general + "2 2 3\n1 1 1\n2 2 5\n1 1 2\n");

  EXPECT_EQ(matrix.val, (std::vector<double>{3, 5}));
}

TEST(MatrixMarket, APatternIsOnes) {
  EXPECT_EQ(dense("%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 2\n2 1\n"),
            (std::vector<double>{0, 1, 1, 0}));
}

TEST(MatrixMarket, IntegersAreValues) {
  EXPECT_EQ(dense("%%MatrixMarket matrix coordinate integer general\n1 2 2\n1 1 -7\n1 2 +3\n"),
            (std::vector<double>{-7, 3}));
}

TEST(MatrixMarket, ASymmetricFileHasBothTriangles) {
  EXPECT_EQ(dense(symmetric + "2 2 2\n1 1 4\n2 1 -1\n"), (std::vector<double>{4, -1, -1, 0}));
}

TEST(MatrixMarket, ASymmetricFileMayGiveTheUpperTriangle) {
  EXPECT_EQ(dense(symmetric + "3 3 2\n1 2 4\n3 2 5\n"),
            (std::vector<double>{0, 4, 0, 4, 0, 5, 0, 5, 0}));
}

TEST(MatrixMarket, ASymmetricFileMayNotGiveOnePlaceFromBothSides) {
  EXPECT_TRUE(refused(symmetric + "3 3 3\n2 1 4\n3 3 1\n% between\n\n1 2 4\n", "7:1",
                      "both sides of the diagonal"));
}

TEST(MatrixMarket, ASkewSymmetricFileMirrorsWithTheSignChanged) {
  EXPECT_EQ(dense("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n"),
            (std::vector<double>{0, -3, 3, 0}));
}

TEST(MatrixMarket, ASkewSymmetricFileHasNoDiagonal) {
  EXPECT_TRUE(refused("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 3\n", "3:1",
                      "no entry on its diagonal"));
}

TEST(MatrixMarket, AnArrayStandsColumnByColumn) {
  EXPECT_EQ(dense(array + "2 3\n1\n2\n3\n4\n5\n6\n"), (std::vector<double>{1, 3, 5, 2, 4, 6}));
}

TEST(MatrixMarket, AnArrayMayHaveSeveralValuesOnALine) {
  EXPECT_EQ(dense(array + "2 2\n1 2\n% comment\n3 4"), (std::vector<double>{1, 3, 2, 4}));
}

TEST(MatrixMarket, ASymmetricArrayIsItsLowerTriangle) {
  EXPECT_EQ(dense("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n"),
            (std::vector<double>{1, 2, 2, 3}));
}

TEST(MatrixMarket, ASkewSymmetricArrayIsWhatStandsBelowTheDiagonal) {
  EXPECT_EQ(dense("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n"),
            (std::vector<double>{0, -1, -2, 1, 0, -3, 2, 3, 0}));
}

TEST(MatrixMarket, AnArrayReadAsSparseLeavesOutItsZeros) {
  EXPECT_EQ(parse(array + "2 2\n1\n0\n-0.0\n4\n").entries(), 2);
}

TEST(MatrixMarket, ReadsEverySpellingOfANumber) {
  const auto values =
      dense(array + "10 1\n1e5\n1.D+05\n1d5\n+3\n.5\n5.\n-1.5E-3\n1e-400\n-0\n007\n");

  EXPECT_EQ(values, (std::vector<double>{1e5, 1e5, 1e5, 3, .5, 5, -1.5e-3, 0, 0, 7}));
  EXPECT_TRUE(std::signbit(values[8]));
}

TEST(MatrixMarket, ReadsInfinitiesAndNaN) {
  const auto values = dense(array + "5 1\ninf\n-Inf\nnan\nNaN\nInfinity\n");

  EXPECT_EQ(values[0], std::numeric_limits<double>::infinity());
  EXPECT_EQ(values[1], -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(values[2]));
  EXPECT_TRUE(std::isnan(values[3]));
  EXPECT_EQ(values[4], std::numeric_limits<double>::infinity());
}

TEST(MatrixMarket, RefusesWhatIsNoNumber) {
  for (const std::string word : {"x", "1.5x", "1e", "--1", "+-1", "0x10", "1,5", "1e5d3", "."}) {
    EXPECT_TRUE(refused(array + "1 1\n" + word + "\n", "3:1", "'" + word + "' is not a number"));
  }
}

TEST(MatrixMarket, RefusesANumberPastTheRangeOfADouble) {
  EXPECT_TRUE(refused(array + "1 1\n-1e999\n", "3:1", "too large for a double"));
  EXPECT_TRUE(refused(array + "1 1\n1" + std::string(400, '0') + "e-5\n", "3:1", "too large"));
}

TEST(MatrixMarket, ALongFractionIsTinyNotHuge) {
  EXPECT_EQ(dense(array + "1 1\n0." + std::string(400, '0') + "1e5\n"), (std::vector<double>{0}));
}

TEST(MatrixMarket, AFractionIsNoInteger) {
  EXPECT_TRUE(refused("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 1.5\n", "3:5",
                      "'1.5' is not an integer"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 nan\n", "3:5",
                      "'nan' is not an integer"));
}

TEST(MatrixMarket, CommentsBlankLinesAndCrlfMayStandAnywhere) {
  const std::string text =
      "%%MATRIXMARKET Matrix COORDINATE Double General\r\n%c\r\n\r\n % c\r\n  2\t2  2 "
      "\r\n%c\r\n\r\n"
      "\t1 1 1.5\r\n% c\r\n 2 2 2.5 \r\n\r\n% end";

  EXPECT_EQ(dense(text), (std::vector<double>{1.5, 0, 0, 2.5}));
}

TEST(MatrixMarket, TheLastLineNeedsNoEnd) {
  EXPECT_EQ(dense(general + "1 1 1\n1 1 2"), (std::vector<double>{2}));
}

TEST(MatrixMarket, SizesOfZeroAreMatrices) {
  EXPECT_EQ(parse(general + "0 0 0\n").rows, 0);
  EXPECT_EQ(parse(general + "3 0 0").row.size(), 4u);
  EXPECT_EQ(parse(array + "0 5\n").cols, 5);
  EXPECT_EQ(parse("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").entries(), 0);
}

TEST(MatrixMarket, RefusesAWrongBanner) {
  EXPECT_TRUE(refused("", "1:1", "no Matrix Market file"));
  EXPECT_TRUE(refused("1 1 1\n", "1:1", "no Matrix Market file"));
  EXPECT_TRUE(refused("%%MatrixMarket\n", "1:15", "the banner ends before its object"));
  EXPECT_TRUE(refused("%%MatrixMarket vector x\n", "1:16", "unknown object 'vector'"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix csr real general\n", "1:23", "unknown format 'csr'"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix array float general\n", "1:29", "unknown field"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix array real diagonal\n", "1:34", "unknown symmetry"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix array pattern general\n", "1:29", "pattern"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix array real general x\n", "1:42", "a word too many"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix coordinate pattern skew-symmetric\n", "1:42",
                      "cannot be skew-symmetric"));
}

TEST(MatrixMarket, RefusesComplexMatricesInOneSentence) {
  EXPECT_TRUE(refused("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 1\n", "1:34",
                      "complex matrices are not supported"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix coordinate real hermitian\n1 1 1\n1 1 1\n", "1:39",
                      "hermitian matrices are complex"));
}

TEST(MatrixMarket, RefusesAWrongSizeLine) {
  EXPECT_TRUE(refused(general, "1:46", "ends before its size line"));
  EXPECT_TRUE(refused(general + "2 2\n", "2:4", "ends before the number of entries"));
  EXPECT_TRUE(refused(general + "2 -2 1\n", "2:3", "must be a count, not '-2'"));
  EXPECT_TRUE(refused(general + "2 2.5 1\n", "2:3", "must be a count, not '2.5'"));
  EXPECT_TRUE(refused(general + "2 2 0 0\n", "2:7", "'rows columns entries'"));
  EXPECT_TRUE(refused(array + "2 2 4\n1\n2\n3\n4\n", "2:5", "'rows columns'"));
  EXPECT_TRUE(refused(symmetric + "2 3 0\n", "2:6", "2 x 3 cannot be symmetric"));
}

TEST(MatrixMarket, RefusesSizesPast32Bits) {
  EXPECT_TRUE(refused(general + "2147483648 1 0\n", "2:1", "must stay below 2147483648"));
  EXPECT_TRUE(refused(general + "1 99999999999999999999 0\n", "2:3", "must stay below 2147483648"));
}

TEST(MatrixMarket, DoesNotAllocateForAClaim) {
  EXPECT_TRUE(refused(general + "1000000000 1000000000 999999999999\n", "2:35",
                      "promises 999999999999 entries, and only 0 bytes follow"));
  EXPECT_TRUE(refused(general + "1000000000 1000000000 0\n", "2:24", "nearly all would be empty"));
  EXPECT_TRUE(refused(array + "2000000000 2000000000\n1\n", "2:22", "the file is truncated"));
  EXPECT_THROW(parse_dense(general + "4000 2000000000 0\n", "m.mtx"), UsageError);
  EXPECT_EQ(parse(array + "0 2000000000\n").entries(), 0);
  EXPECT_EQ(parse(general + "1 2000000000 1\n1 2000000000 5\n").col[0], 1999999999);
}

TEST(MatrixMarket, RefusesAnIndexOutside) {
  EXPECT_TRUE(refused(general + "2 2 1\n0 1 1\n", "3:1", "row 0 lies outside a matrix of 2 x 2"));
  EXPECT_TRUE(refused(general + "2 2 1\n0 1 1\n", "3:1", "indices start at 1"));
  EXPECT_TRUE(refused(general + "2 2 1\n1 3 1\n", "3:3", "column 3 lies outside"));
  EXPECT_TRUE(refused(general + "2 2 1\n-1 1 1\n", "3:1", "row -1 lies outside"));
  EXPECT_TRUE(refused(general + "2 2 1\n1 99999999999999999999 1\n", "3:3", "lies outside"));
  EXPECT_TRUE(refused(general + "2 2 1\n4294967297 1 1\n", "3:1", "lies outside"));
  EXPECT_TRUE(refused(general + "2 2 1\n1.0 1 1\n", "3:1", "must be an integer, not '1.0'"));
}

TEST(MatrixMarket, RefusesAnEntryOfTheWrongLength) {
  EXPECT_TRUE(refused(general + "2 2 1\n1\n     ", "3:2", "ends before its column"));
  EXPECT_TRUE(refused(general + "2 2 1\n1 1\n     ", "3:4", "the entry has no value"));
  EXPECT_TRUE(refused(general + "2 2 1\n1 1 1 1\n", "3:7", "'row column value' and no more"));
  EXPECT_TRUE(refused("%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 1 1\n", "3:5",
                      "'row column' and no more"));
}

TEST(MatrixMarket, RefusesATruncatedFile) {
  EXPECT_TRUE(refused(general + "2 2 2\n1 1 1.00000000000\n", "3:18", "after 1 of 2 entries"));
  EXPECT_TRUE(refused(array + "2 2\n1.0\n2.0\n3.0\n", "5:4", "after 3 of 4 entries"));
}

TEST(MatrixMarket, RefusesEntriesPastTheirNumber) {
  EXPECT_TRUE(refused(general + "2 2 1\n1 1 1\n2 2 2\n", "4:1", "goes on after the 1 entries"));
  EXPECT_TRUE(refused(array + "1 1\n1\n2\n", "4:1", "goes on after the 1 entries"));
}

TEST(MatrixMarket, AFaultShowsItsLine) {
  EXPECT_EQ(market_refusal(general + "2 2 1\n1 3 4.5\n"),
            "m.mtx:3:3: error: column 3 lies outside a matrix of 2 x 2\n"
            "  3 | 1 3 4.5\n"
            "    |   ^");
}

TEST(MatrixMarket, MegabytesOfGarbageGiveOneShortMessage) {
  std::string garbage(10 << 20, '\0');
  for (std::size_t i = 0; i < garbage.size(); ++i)
    garbage[i] = static_cast<char>(i * 2654435761u >> 7);

  EXPECT_LT(market_refusal(garbage).size(), 1000u);
  EXPECT_LT(market_refusal(general + garbage).size(), 1000u);
  EXPECT_LT(market_refusal(general + std::string(10 << 20, '7')).size(), 1000u);
}

TEST(MatrixMarket, AVectorIsOneColumn) {
  EXPECT_EQ(parse_vector(array + "3 1\n1\n2\n3\n", "b.mtx"), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(parse_vector(general + "3 1 2\n3 1 7\n1 1 5\n", "b.mtx"),
            (std::vector<double>{5, 0, 7}));
  EXPECT_THROW(parse_vector(array + "1 3\n1\n2\n3\n", "b.mtx"), UsageError);
}

}  // namespace
}  // namespace gyre::io
