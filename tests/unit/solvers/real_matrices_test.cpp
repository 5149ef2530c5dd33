#include "gyre/io/matrix_market.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/sell_matrix.hpp"
#include "systems.hpp"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
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

struct MatrixCase {
  std::string name;
  // The error of x that a residual of 1e-8 may leave: the condition number's share.
  double error;
};

void PrintTo(const MatrixCase& one, std::ostream* out) {
  *out << one.name;
}

class RealMatrix : public testing::TestWithParam<MatrixCase> {
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
                         testing::Values(MatrixCase{"494_bus", 1e-3}, MatrixCase{"1138_bus", 1e-2},
                                         MatrixCase{"nos6", 1e-2}, MatrixCase{"ani4", 1e-5},
                                         MatrixCase{"gr_30_30", 1e-6},
                                         MatrixCase{"lap2D_5pt_n100", 1e-6},
                                         MatrixCase{"lap3D_7pt_n20", 1e-6}),
                         [](const auto& test) { return "m" + test.param.name; });

using AnyMatrix = RealMatrix;

// What rounding in a product with x alone leaves of ‖b − A x‖ / ‖b‖: much, where A is singular and
// x has grown.
double rounding(io::CsrMatrix matrix, const Values& b, Values x) {
  for (double& one : matrix.val) one = std::abs(one);
  for (double& one : x) one = std::abs(one);
  return 8 * std::numeric_limits<double>::epsilon() * norm(io::multiply(matrix, x)) / norm(b);
}

// Whether or not it gets anywhere: a solve is called converged where its x is a solution, and only
// there.
TEST_P(AnyMatrix, EndsWithATrueReasonByEveryMethod) {
  const auto matrix = io::read_matrix(path_);
  const Values b(static_cast<std::size_t>(matrix.rows), 1.0);

  for (const Method& method : methods()) {
    for (const auto preconditioner :
         {Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Ilu0, Preconditioner::Ic0,
          Preconditioner::Ssor}) {
      if (!method.takes_preconditioner && preconditioner != Preconditioner::None) continue;
      SCOPED_TRACE(std::string(method.name) + " with " + std::string(name_of(preconditioner)));
      const auto solved =
          solve(matrix, b, {.max_trips = 200},
                {.method = std::string(method.name), .preconditioner = preconditioner});

      const double residual = relative_residual(matrix, b, solved.x);
      EXPECT_EQ(is_converged(solved.result.reason), residual <= 1e-8);
      EXPECT_LE(solved.result.iterations, 200);
      if (solved.result.reason == Reason::NanOrInf) continue;
      EXPECT_TRUE(std::isfinite(residual));
      EXPECT_NEAR(residual, solved.result.relative_residual,
                  1e-6 * residual + rounding(matrix, b, solved.x));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shared, AnyMatrix,
                         testing::Values(MatrixCase{"mahindas", 0}, MatrixCase{"cryg2500", 0},
                                         MatrixCase{"olm1000", 0}, MatrixCase{"karate", 0},
                                         MatrixCase{"netscience", 0}, MatrixCase{"add20", 0},
                                         MatrixCase{"nos6", 0}, MatrixCase{"494_bus", 0},
                                         MatrixCase{"gr_30_30", 0}),
                         [](const auto& test) { return "m" + test.param.name; });

// Rows of any length, and none: the folds are those of compressed rows.
TEST_P(AnyMatrix, HasTheSameBitsInSlices) {
  const auto matrix = io::read_matrix(path_);
  const Values b(static_cast<std::size_t>(matrix.rows), 1.0);
  const auto sell = make_sell(view(matrix), {.window = 64});

  for (const auto* method : {"cg", "minres", "bicgstab", "gmres"}) {
    const auto expected = solve(matrix, b, {.max_trips = 60}, {.method = method});
    Solver solver(method, sell_matrix(sell.view()));
    Values x(b.size(), 0.0);

    const auto result = solver.solve(b, x, {.max_trips = 60});

    EXPECT_EQ(result.reason, expected.result.reason) << method;
    EXPECT_EQ(result.iterations, expected.result.iterations) << method;
    if (result.reason != Reason::NanOrInf) {
      EXPECT_EQ(x, expected.x) << method;
    }
  }
}

// Unsymmetric and symmetric, each by what is for it, against a direct method.
TEST_P(AnyMatrix, AgreesWithEigenWhereItConverges) {
  const auto matrix = io::read_matrix(path_);
  const EigenMatrix a =
      Eigen::Map<const EigenMatrix>(matrix.rows, matrix.cols, matrix.entries(), matrix.row.data(),
                                    matrix.col.data(), matrix.val.data());
  Eigen::SparseLU<Eigen::SparseMatrix<double>> direct;
  direct.compute(Eigen::SparseMatrix<double>(a));
  if (direct.info() != Eigen::Success) return;  // It is singular: there is nothing to compare with.
  const Eigen::VectorXd expected = Eigen::VectorXd::Random(matrix.rows);
  const Eigen::VectorXd product = a * expected;
  const Values b(product.data(), product.data() + product.size());

  for (const auto* method : {"bicgstab", "gmres", "minres"}) {
    const auto solved =
        solve(matrix, b, {.rtol = 1e-11, .max_trips = 400},
              {.method = method, .preconditioner = Preconditioner::Jacobi, .restart = 50});
    if (!is_converged(solved.result.reason)) continue;

    // The residual of the difference is what both leave; the difference itself may be larger by the
    // condition number.
    const Eigen::VectorXd difference =
        Eigen::Map<const Eigen::VectorXd>(solved.x.data(), matrix.rows) - expected;
    EXPECT_LE((a * difference).norm(), 1.1e-11 * product.norm()) << method;
  }
}

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
