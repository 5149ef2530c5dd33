#include "gyre/io/csr_matrix.hpp"

#include "gyre/base/error.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

CsrMatrix matrix_of(std::int64_t rows, std::int64_t cols,
                    std::initializer_list<std::tuple<int, int, double>> entries) {
  Triplets triplets;
  for (const auto& [i, j, v] : entries) triplets.add(i, j, v);
  return make_csr(rows, cols, triplets);
}

TEST(CsrMatrix, SortsTheColumnsOfEachRow) {
  const auto matrix = matrix_of(2, 3, {{1, 2, 5}, {0, 2, 3}, {0, 0, 1}, {1, 0, 4}, {0, 1, 2}});

  EXPECT_EQ(matrix.row, (std::vector<std::int32_t>{0, 3, 5}));
  EXPECT_EQ(matrix.col, (std::vector<std::int32_t>{0, 1, 2, 0, 2}));
  EXPECT_EQ(matrix.val, (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST(CsrMatrix, SumsDuplicatesInTheOrderTheyStand) {
  const auto matrix = matrix_of(2, 2, {{1, 1, 1e30}, {0, 0, 1}, {1, 1, 1}, {1, 1, -1e30}});

  EXPECT_EQ(matrix.row, (std::vector<std::int32_t>{0, 1, 2}));
  EXPECT_EQ(matrix.val, (std::vector<double>{1, 0}));
}

TEST(CsrMatrix, KeepsStoredZeros) {
  EXPECT_EQ(matrix_of(2, 2, {{0, 1, 0}, {1, 1, 2}, {1, 1, -2}}).entries(), 2);
}

TEST(CsrMatrix, AnEmptyMatrixHasOneOffset) {
  const auto matrix = matrix_of(0, 0, {});

  EXPECT_EQ(matrix.row, CsrMatrix{}.row);
  EXPECT_EQ(multiply(matrix, {}).size(), 0u);
  EXPECT_TRUE(is_symmetric(matrix));
  EXPECT_EQ(empty_row(matrix), std::nullopt);
}

TEST(CsrMatrix, RefusesAnIndexOutside) {
  EXPECT_THROW(matrix_of(2, 2, {{2, 0, 1}}), UsageError);
  EXPECT_THROW(matrix_of(2, 2, {{0, 2, 1}}), UsageError);
  EXPECT_THROW(matrix_of(2, 2, {{-1, 0, 1}}), UsageError);
}

TEST(CsrMatrix, RefusesSizesPast32BitsInOneSentence) {
  try {
    make_csr(std::int64_t{1} << 31, 1, {});
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("must each stay below 2147483648"), std::string::npos);
  }
}

TEST(CsrMatrix, TransposesARectangle) {
  const auto matrix = matrix_of(2, 3, {{0, 0, 1}, {0, 2, 2}, {1, 2, 3}});

  const auto result = transpose(matrix);

  EXPECT_EQ(result.rows, 3);
  EXPECT_EQ(result.cols, 2);
  EXPECT_EQ(result.row, (std::vector<std::int32_t>{0, 1, 1, 3}));
  EXPECT_EQ(result.col, (std::vector<std::int32_t>{0, 0, 1}));
  EXPECT_EQ(result.val, (std::vector<double>{1, 2, 3}));
}

TEST(CsrMatrix, SymmetryIsAMatterOfValuesNotOfStructure) {
  EXPECT_TRUE(is_symmetric(matrix_of(2, 2, {{0, 1, 2}, {1, 0, 2}})));
  EXPECT_FALSE(is_symmetric(matrix_of(2, 2, {{0, 1, 2}, {1, 0, 2.5}})));
  EXPECT_FALSE(is_symmetric(matrix_of(2, 2, {{0, 1, 2}})));
  EXPECT_TRUE(is_symmetric(matrix_of(2, 2, {{0, 1, 0}, {1, 1, 1}})));
  EXPECT_TRUE(is_symmetric(matrix_of(2, 2, {{0, 1, nan}, {1, 0, nan}})));
  EXPECT_FALSE(is_symmetric(matrix_of(2, 3, {})));
}

TEST(CsrMatrix, SymmetryToleratesARelativeDifference) {
  const auto matrix = matrix_of(2, 2, {{0, 1, 1}, {1, 0, 1 + 1e-12}});

  EXPECT_FALSE(is_symmetric(matrix));
  EXPECT_TRUE(is_symmetric(matrix, 1e-10));
}

TEST(CsrMatrix, NamesTheFirstRowWithoutDiagonal) {
  EXPECT_EQ(row_without_diagonal(matrix_of(2, 2, {{0, 0, 1}, {1, 1, 1}})), std::nullopt);
  EXPECT_EQ(row_without_diagonal(matrix_of(2, 2, {{0, 0, 1}, {1, 0, 1}})), 1);
  EXPECT_EQ(row_without_diagonal(matrix_of(2, 2, {{0, 0, 0}, {1, 1, 1}})), 0);
  EXPECT_EQ(row_without_diagonal(matrix_of(3, 2, {{0, 0, 1}, {1, 1, 1}, {2, 1, 1}})), 2);
}

TEST(CsrMatrix, NamesTheFirstEmptyRow) {
  EXPECT_EQ(empty_row(matrix_of(2, 2, {{0, 0, 1}, {1, 0, 1}})), std::nullopt);
  EXPECT_EQ(empty_row(matrix_of(3, 2, {{0, 0, 1}, {2, 0, 1}})), 1);
  EXPECT_EQ(empty_row(matrix_of(2, 2, {{0, 0, 1}, {1, 1, 0}})), 1);
}

TEST(CsrMatrix, MultipliesARowWithAColumn) {
  const auto matrix = matrix_of(2, 3, {{0, 0, 1}, {0, 2, 2}, {1, 1, 3}});

  EXPECT_EQ(multiply(matrix, std::vector<double>{1, 10, 100}), (std::vector<double>{201, 30}));
  EXPECT_THROW(multiply(matrix, std::vector<double>{1}), UsageError);
}

TEST(CsrMatrix, VerifyFindsWhatBreaksTheLayout) {
  const auto good = matrix_of(2, 2, {{0, 0, 1}, {0, 1, 2}, {1, 1, 3}});
  auto unsorted = good;
  std::swap(unsorted.col[0], unsorted.col[1]);
  auto outside = good;
  outside.col[2] = 2;
  auto short_offsets = good;
  short_offsets.row.pop_back();
  auto descending = good;
  descending.row[1] = 4;

  EXPECT_NO_THROW(verify_csr(good));
  EXPECT_THROW(verify_csr(unsorted), UsageError);
  EXPECT_THROW(verify_csr(outside), UsageError);
  EXPECT_THROW(verify_csr(short_offsets), UsageError);
  EXPECT_THROW(verify_csr(descending), UsageError);
}

}  // namespace
}  // namespace gyre::io
