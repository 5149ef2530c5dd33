#include "gyre/io/matrix_market.hpp"
#include "systems.hpp"

#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <string>

#include <Eigen/Sparse>
#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using EigenMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int32_t>;

std::string matrices_folder() {
  const char* named = std::getenv("GYRE_MATRICES");
  return named != nullptr ? named : GYRE_SOURCE_DIR "/../shared/matrices";
}

// How far x is from the solution by a direct method, over that solution's norm.
double distance_from_direct(const io::CsrMatrix& matrix, const Values& b, const Values& x) {
  const EigenMatrix a =
      Eigen::Map<const EigenMatrix>(matrix.rows, matrix.cols, matrix.entries(), matrix.row.data(),
                                    matrix.col.data(), matrix.val.data());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> direct(Eigen::SparseMatrix<double>{a});
  const Eigen::VectorXd expected =
      direct.solve(Eigen::Map<const Eigen::VectorXd>(b.data(), matrix.rows));
  return (Eigen::Map<const Eigen::VectorXd>(x.data(), matrix.rows) - expected).norm() /
         expected.norm();
}

struct Case {
  std::string name;
  // The error of x that a residual of 1e-8 may leave: the condition number's share.
  double error;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class RealMatrix : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    path_ = matrices_folder() + "/" + GetParam().name + ".mtx";
    if (!std::filesystem::exists(path_)) {
      GTEST_SKIP() << path_ << " is not there; GYRE_MATRICES names the folder";
    }
  }

  std::string path_;
};

using ConvergingMatrix = RealMatrix;

TEST_P(ConvergingMatrix, IsSolvedWithATrueResidualAndAgreesWithEigen) {
  const auto matrix = io::read_matrix(path_);
  const Values b(static_cast<std::size_t>(matrix.rows), 1.0);

  const auto solved = solve(matrix, b, {.rtol = 1e-8}, with_jacobi());

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(relative_residual(matrix, b, solved.x), 1.001e-8);
  EXPECT_LE(distance_from_direct(matrix, b, solved.x), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Shared, ConvergingMatrix,
                         testing::Values(Case{"494_bus", 1e-3}, Case{"1138_bus", 1e-2},
                                         Case{"nos6", 1e-2}, Case{"ani4", 1e-5},
                                         Case{"gr_30_30", 1e-6}, Case{"lap2D_5pt_n100", 1e-6},
                                         Case{"lap3D_7pt_n20", 1e-6}),
                         [](const auto& test) { return "m" + test.param.name; });

using OtherMatrix = RealMatrix;

TEST_P(OtherMatrix, EndsWithATrueReason) {
  const auto matrix = io::read_matrix(path_);
  const Values b(static_cast<std::size_t>(matrix.rows), 1.0);

  for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi}) {
    const auto solved = solve(matrix, b, {.max_trips = 500}, {.preconditioner = preconditioner});

    EXPECT_FALSE(is_converged(solved.result.reason));
    EXPECT_NEAR(relative_residual(matrix, b, solved.x) / solved.result.relative_residual, 1.0,
                1e-9);
    EXPECT_GT(solved.result.relative_residual, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, OtherMatrix,
                         testing::Values(Case{"mahindas", 0}, Case{"cryg2500", 0},
                                         Case{"olm1000", 0}, Case{"karate", 0},
                                         Case{"netscience", 0}),
                         [](const auto& test) { return "m" + test.param.name; });

TEST(SampleMatrix, IsSolvedAndAgreesWithEigen) {
  const auto matrix = io::read_matrix(GYRE_SOURCE_DIR "/samples/data/l_shape.mtx");
  const Values b(static_cast<std::size_t>(matrix.rows), 1.0);

  const auto solved = solve(matrix, b);

  EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol);
  EXPECT_LE(relative_residual(matrix, b, solved.x), 1e-8);
  EXPECT_LE(distance_from_direct(matrix, b, solved.x), 1e-6);
}

TEST(Bus1138, IsNotCalledConvergedWhereOnlyTheRecurrenceIs) {
  const std::string path = matrices_folder() + "/1138_bus.mtx";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const auto matrix = io::read_matrix(path);
  const Values b(1138, 1.0);

  const auto solved = solve(matrix, b, {.rtol = 1e-10});

  const double residual = relative_residual(matrix, b, solved.x);
  EXPECT_GT(solved.result.restarts, 0);
  EXPECT_LE(solved.result.recurrence_residual, 1e-10);
  EXPECT_EQ(is_converged(solved.result.reason), residual <= 1e-10);
  EXPECT_LT(residual, 1e-9);
  if (residual > 1e-10) {
    EXPECT_EQ(solved.result.reason, Reason::Stagnated);
  }
}

TEST(Bus1138, AskingForMoreThanThePrecisionGivesCostsNoAccuracy) {
  const std::string path = matrices_folder() + "/1138_bus.mtx";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const auto matrix = io::read_matrix(path);
  const Values b(1138, 1.0);

  for (const double rtol : {1e-11, 1e-12, 0.0}) {
    const auto solved = solve(matrix, b, {.rtol = rtol}, with_jacobi());

    EXPECT_EQ(solved.result.reason, Reason::Stagnated) << rtol;
    EXPECT_LT(relative_residual(matrix, b, solved.x), 2e-10) << rtol;
  }
}

}  // namespace
}  // namespace gyre::solvers
