// The matrix that the demo solves must be what its comment says.
#include "gyre/io/matrix_market.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

TEST(SampleMatrix, TheLShapeIsSymmetricWithCouplingsThatLeaveItDefinite) {
  const auto matrix = read_matrix(std::string(GYRE_SOURCE_DIR) + "/samples/data/l_shape.mtx");
  const std::vector<double> ones(static_cast<std::size_t>(matrix.cols), 1.0);

  const auto row_sums = multiply(matrix, ones);

  EXPECT_EQ(matrix.rows, 10561);
  EXPECT_EQ(matrix.entries(), 72963);
  EXPECT_TRUE(is_symmetric(matrix));
  EXPECT_EQ(row_without_diagonal(matrix), std::nullopt);
  // A row away from the boundary sums to 0, one beside it to what couples it to the boundary.
  EXPECT_GT(*std::min_element(row_sums.begin(), row_sums.end()), -1e-12);
  EXPECT_GT(std::count_if(row_sums.begin(), row_sums.end(), [](double s) { return s > 0.1; }), 400);
}

}  // namespace
}  // namespace gyre::io
