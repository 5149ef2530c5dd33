#include "gyre/base/error.hpp"
#include "gyre/io/file.hpp"
#include "gyre/io/matrix_market.hpp"

#include <bit>
#include <cmath>
#include <filesystem>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

CsrMatrix written_matrix(std::int64_t rows, std::int64_t cols,
                         std::initializer_list<std::tuple<int, int, double>> entries) {
  Triplets triplets;
  for (const auto& [i, j, v] : entries) triplets.add(i, j, v);
  return make_csr(rows, cols, triplets);
}

// Any bit pattern but NaN: subnormals, infinities and -0 among them.
std::vector<double> random_doubles(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<double> values;
  while (values.size() < count) {
    const double value = std::bit_cast<double>(random());
    if (!std::isnan(value)) values.push_back(value);
  }
  return values;
}

TEST(MatrixMarketWriter, WritesCoordinatesRowByRow) {
  const auto matrix = written_matrix(2, 3, {{1, 0, -2}, {0, 2, 0.1}, {0, 0, 1e300}});

  EXPECT_EQ(print_matrix(matrix, {.comment = "two\nlines"}),
            "%%MatrixMarket matrix coordinate real general\n% two\n% lines\n2 3 3\n"
            "1 1 1e+300\n1 3 0.1\n2 1 -2\n");
}

TEST(MatrixMarketWriter, ASymmetricMatrixIsItsLowerTriangle) {
  const auto matrix = written_matrix(2, 2, {{0, 0, 4}, {0, 1, -1}, {1, 0, -1}, {1, 1, 4}});

  const auto text = print_matrix(matrix, {.symmetry = Symmetry::Symmetric, .comment = {}});

  EXPECT_EQ(text, "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 4\n2 1 -1\n2 2 4\n");
  EXPECT_EQ(parse_matrix(text, "m").val, matrix.val);
}

TEST(MatrixMarketWriter, ASkewSymmetricMatrixIsItsLowerTriangle) {
  const auto matrix = written_matrix(2, 2, {{0, 1, -3}, {1, 0, 3}});

  const auto text = print_matrix(matrix, {.symmetry = Symmetry::SkewSymmetric, .comment = {}});

  EXPECT_EQ(text, "%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 3\n");
  EXPECT_EQ(parse_matrix(text, "m").val, matrix.val);
}

TEST(MatrixMarketWriter, RefusesASymmetryThatIsNotThere) {
  const auto matrix = written_matrix(2, 2, {{0, 1, 1}, {1, 0, 2}});
  const auto diagonal = written_matrix(2, 2, {{0, 0, 1}});

  EXPECT_THROW(print_matrix(matrix, {.symmetry = Symmetry::Symmetric, .comment = {}}), UsageError);
  EXPECT_THROW(print_matrix(diagonal, {.symmetry = Symmetry::SkewSymmetric, .comment = {}}),
               UsageError);
}

TEST(MatrixMarketWriter, EveryBitOfAVectorComesBack) {
  const auto values = random_doubles(2000, 1);

  const auto back = parse_vector(print_vector(values), "v");

  ASSERT_EQ(back.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back[i]), std::bit_cast<std::uint64_t>(values[i]));
  }
}

TEST(MatrixMarketWriter, NaNComesBackAsNaN) {
  const auto back =
      parse_vector(print_vector(std::vector<double>{std::nan(""), -std::nan("")}), "v");

  EXPECT_TRUE(std::isnan(back[0]));
  EXPECT_TRUE(std::isnan(back[1]));
}

TEST(MatrixMarketWriter, RandomMatricesComeBack) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const int rows = static_cast<int>(random() % 20) + 1;
    const int cols = static_cast<int>(random() % 20) + 1;
    Triplets triplets;
    for (const double v : random_doubles(random() % 100, seed)) {
      triplets.add(static_cast<int>(random() % rows), static_cast<int>(random() % cols), v / 1e10);
    }
    const auto matrix = make_csr(rows, cols, triplets);

    const auto back = parse_matrix(print_matrix(matrix), "m");

    EXPECT_EQ(back.row, matrix.row);
    EXPECT_EQ(back.col, matrix.col);
    EXPECT_EQ(print_matrix(back), print_matrix(matrix));
  }
}

TEST(MatrixMarketWriter, ADenseMatrixComesBack) {
  const DenseMatrix matrix{.rows = 2, .cols = 3, .val = {1, 2, 3, 4, 5, 6}};

  const auto text = print_dense(matrix);

  EXPECT_EQ(text, "%%MatrixMarket matrix array real general\n2 3\n1\n4\n2\n5\n3\n6\n");
  EXPECT_EQ(parse_dense(text, "m").val, matrix.val);
}

TEST(MatrixMarketWriter, FilesComeBack) {
  const auto path =
      (std::filesystem::temp_directory_path() / "gyre_matrix_market_writer_test.mtx").string();
  const auto matrix = written_matrix(2, 2, {{0, 0, 4}, {1, 0, -1}});

  write_matrix(path, matrix);
  const auto matrix_back = read_matrix(path);
  write_vector(path, std::vector<double>{1, 2});
  const auto vector_back = read_vector(path);
  std::filesystem::remove(path);

  EXPECT_EQ(matrix_back.val, matrix.val);
  EXPECT_EQ(vector_back, (std::vector<double>{1, 2}));
}

}  // namespace
}  // namespace gyre::io
