// Facts of thirteen published matrices, counted by another program. Their folder is no part of the
// repository: GYRE_MATRICES names it, or it stands beside the checkout.
#include "gyre/io/matrix_market.hpp"

#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

namespace gyre::io {
namespace {

struct Facts {
  const char* name;
  std::int64_t rows;
  std::int64_t entries;
  bool symmetric;
  // The first row whose diagonal is missing or 0, or -1.
  std::int64_t without_diagonal;
};

void PrintTo(const Facts& facts, std::ostream* out) {
  *out << facts.name;
}

std::filesystem::path folder() {
  if (const char* named = std::getenv("GYRE_MATRICES")) return named;
  return std::filesystem::path(GYRE_SOURCE_DIR) / ".." / "shared" / "matrices";
}

class RealMatrices : public ::testing::TestWithParam<Facts> {};

TEST_P(RealMatrices, ReadAsWhatTheyAre) {
  const auto path = folder() / (std::string(GetParam().name) + ".mtx");
  if (!std::filesystem::exists(folder())) {
    GTEST_SKIP() << "no folder of published matrices at " << folder()
                 << "; set GYRE_MATRICES to have them read";
  }

  const auto matrix = read_matrix(path.string());

  EXPECT_NO_THROW(verify_csr(matrix));
  EXPECT_EQ(matrix.rows, GetParam().rows);
  EXPECT_EQ(matrix.cols, GetParam().rows);
  EXPECT_EQ(matrix.entries(), GetParam().entries);
  EXPECT_EQ(is_symmetric(matrix), GetParam().symmetric);
  EXPECT_EQ(row_without_diagonal(matrix).value_or(-1), GetParam().without_diagonal);
  EXPECT_EQ(print_matrix(parse_matrix(print_matrix(matrix), "again")), print_matrix(matrix));
}

INSTANTIATE_TEST_SUITE_P(
    Published, RealMatrices,
    ::testing::Values(
        Facts{"1138_bus", 1138, 4054, true, -1}, Facts{"494_bus", 494, 1666, true, -1},
        Facts{"add20", 2395, 17319, false, -1}, Facts{"ani4", 3081, 20971, false, -1},
        Facts{"cryg2500", 2500, 12349, false, -1}, Facts{"gr_30_30", 900, 7744, true, -1},
        Facts{"karate", 34, 156, true, 0}, Facts{"lap2D_5pt_n100", 10000, 49600, true, -1},
        Facts{"lap3D_7pt_n20", 8000, 53600, true, -1}, Facts{"mahindas", 1258, 7682, false, 52},
        Facts{"netscience", 1589, 5484, true, 0}, Facts{"nos6", 675, 3255, true, -1},
        Facts{"olm1000", 1000, 3996, false, -1}),
    [](const auto& matrix) { return "m_" + std::string(matrix.param.name); });

}  // namespace
}  // namespace gyre::io
