#include "gyre/solvers/sparse_matrix.hpp"

#include "gyre/base/error.hpp"
#include "support/random.hpp"

#include <vector>

#include <Eigen/Sparse>
#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using EigenMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

SparseMatrix random_matrix(std::uint64_t seed, std::int64_t rows, std::int64_t columns) {
  support::Random random(seed);
  SparseMatrix a{.rows = rows, .columns = columns};
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) {
      if (!random.chance(30)) continue;
      a.col.push_back(static_cast<std::int32_t>(j));
      a.val.push_back(static_cast<double>(random.between(-9, 9)));
    }
    a.row.push_back(static_cast<std::int32_t>(a.col.size()));
  }
  return a;
}

Eigen::MatrixXd in_eigen(const SparseMatrix& a) {
  return Eigen::Map<const EigenMatrix>(a.rows, a.columns, a.entries(), a.row.data(), a.col.data(),
                                       a.val.data())
      .toDense();
}

TEST(SparseMatrix, ProductsAndTransposesAreThoseOfEigen) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    support::Random random(seed);
    const auto rows = random.between(0, 12);
    const auto inner = random.between(0, 12);
    const SparseMatrix a = random_matrix(seed, rows, inner);
    const SparseMatrix b = random_matrix(seed + 100, inner, random.between(0, 12));

    EXPECT_EQ(in_eigen(multiply(a, b)), in_eigen(a) * in_eigen(b)) << seed;
    EXPECT_EQ(in_eigen(transpose(a)), in_eigen(a).transpose()) << seed;
  }
}

TEST(SparseMatrix, TransposingTwiceGivesTheMatrixWithAscendingColumns) {
  const SparseMatrix a = random_matrix(1, 9, 7);

  const SparseMatrix again = transpose(transpose(a));

  EXPECT_EQ(again.row, a.row);
  EXPECT_EQ(again.col, a.col);
  EXPECT_EQ(again.val, a.val);
}

TEST(SparseMatrix, SortingPutsColumnsInOrderAndAddsWhatStandsTwice) {
  const SparseMatrix a = sorted({2, 3, {0, 4, 5}, {2, 0, 2, 1, 1}, {1, 2, 3, 4, 5}});

  EXPECT_EQ(a.row, (std::vector<std::int32_t>{0, 3, 4}));
  EXPECT_EQ(a.col, (std::vector<std::int32_t>{0, 1, 2, 1}));
  EXPECT_EQ(a.val, (std::vector<double>{2, 4, 4, 5}));
}

TEST(SparseMatrix, ADiagonalEntryThatIsNotStoredIsZero) {
  const SparseMatrix a{2, 2, {0, 2, 3}, {0, 1, 0}, {5, 1, 1}};

  EXPECT_EQ(diagonal_of(a), (std::vector<double>{5, 0}));
}

TEST(SparseMatrix, ShapesThatDoNotFitAreRefused) {
  EXPECT_THROW(multiply(random_matrix(1, 2, 3), random_matrix(2, 2, 3)), UsageError);
}

}  // namespace
}  // namespace gyre::solvers
