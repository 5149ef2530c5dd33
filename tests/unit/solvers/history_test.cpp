/// Every method goes the way of its textbook, trip by trip: one that stops a trip early or late, or
/// takes another one, is found here.
#include "systems.hpp"
#include "textbook.hpp"

#include <functional>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

struct Case {
  std::string method;
  Preconditioner preconditioner = Preconditioner::None;
  io::CsrMatrix matrix;
  std::function<Values(const io::CsrMatrix&, const Values& b, const Values& inverse, int trips)>
      textbook;
  double relaxation = 1;
};

void PrintTo(const Case& one, std::ostream* out) {
  *out << one.method << " with " << name_of(one.preconditioner);
}

// Symmetric and indefinite: the Laplacian less a number within its spectrum.
io::CsrMatrix indefinite(std::int32_t side) {
  auto matrix = laplacian(side);
  for (double& one : matrix.val) {
    if (one == 4) one = 2.9;
  }
  return matrix;
}

// Convection makes it unsymmetric.
io::CsrMatrix convection(std::int32_t side) {
  auto matrix = laplacian(side, 3.0);
  for (std::size_t i = 0; i + 1 < matrix.row.size(); ++i) {
    for (auto k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (matrix.col[at] > static_cast<std::int32_t>(i)) matrix.val[at] *= 0.3;
    }
  }
  return matrix;
}

Values restarted_gmres(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips) {
  return textbook::gmres(a, b, inverse, trips, 7);
}

template <int divisor>
Values richardson_by(const io::CsrMatrix& a, const Values& b, const Values& inverse, int trips) {
  return textbook::richardson(a, b, inverse, trips, 1.0 / divisor);
}

template <int tenths>
Values red_black_by(const io::CsrMatrix& a, const Values& b, const Values&, int trips) {
  return textbook::red_black(a, b, trips, tenths / 10.0, 20);
}

class AgainstTheTextbook : public testing::TestWithParam<Case> {};

TEST_P(AgainstTheTextbook, HasItsResidualsTripByTrip) {
  const auto& [method, preconditioner, matrix, expected_of, relaxation] = GetParam();
  const Values b = random_values(static_cast<std::size_t>(matrix.rows));
  const SolverOptions options = {
      .method = method, .preconditioner = preconditioner, .restart = 7, .history = 100};

  const auto solved =
      solve(matrix, b, {.rtol = 1e-6, .max_trips = 30, .relaxation = relaxation}, options);

  const auto& history = solved.result.history;
  const auto inverse = textbook::inverse_diagonal(
      matrix, preconditioner == Preconditioner::Jacobi || method == "jacobi");
  const auto expected = expected_of(matrix, b, inverse, static_cast<int>(solved.result.iterations));
  ASSERT_GT(history.size(), 10U);
  ASSERT_EQ(history.size(), expected.size());
  for (std::size_t trip = 0; trip < history.size(); ++trip) {
    EXPECT_NEAR(history[trip] / expected[trip], 1.0, 1e-6) << "trip " << trip;
  }
}

// The first trip at which the textbook is within the tolerance is the one at which the method ends.
TEST_P(AgainstTheTextbook, EndsInTheSameTrip) {
  const auto& [method, preconditioner, matrix, expected_of, relaxation] = GetParam();
  const Values b = random_values(static_cast<std::size_t>(matrix.rows));
  const auto inverse = textbook::inverse_diagonal(
      matrix, preconditioner == Preconditioner::Jacobi || method == "jacobi");
  const auto expected = expected_of(matrix, b, inverse, 12);

  for (const std::size_t trip : {3U, 6U, 7U, 8U, 11U}) {
    // Methods whose residual rises on the way may be within it before.
    double before = expected[0];
    for (std::size_t i = 0; i < trip; ++i) before = std::min(before, expected[i]);
    if (expected[trip] > 0.999 * before) continue;
    const double rtol = std::sqrt(expected[trip] * before) / expected[0];

    const auto solved = solve(matrix, b, {.rtol = rtol, .relaxation = relaxation},
                              {.method = method, .preconditioner = preconditioner, .restart = 7});

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << rtol;
    EXPECT_EQ(solved.result.iterations, static_cast<std::int64_t>(trip)) << rtol;
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi}) {
    all.push_back({"cg", preconditioner, laplacian(20, 3.0), textbook::cg});
    all.push_back({"chronopoulos_gear", preconditioner, laplacian(20, 3.0), textbook::cg});
    all.push_back({"bicgstab", preconditioner, convection(20), textbook::bicgstab});
    all.push_back({"gmres", preconditioner, convection(20), restarted_gmres});
    all.push_back({"minres", preconditioner, laplacian(20, 3.0), textbook::minres});
    all.push_back({"minres", preconditioner, indefinite(20), textbook::minres});
    all.push_back({"chebyshev", preconditioner, laplacian(20, 3.0), textbook::chebyshev});
  }
  all.push_back({"richardson", Preconditioner::None, laplacian(20), richardson_by<5>, 0.2});
  all.push_back({"richardson", Preconditioner::Jacobi, convection(20), richardson_by<1>});
  all.push_back({"jacobi", Preconditioner::None, convection(20), richardson_by<1>});
  all.push_back({"gauss_seidel", Preconditioner::None, laplacian(20, 3.0), red_black_by<10>});
  all.push_back({"gauss_seidel", Preconditioner::None, laplacian(20), red_black_by<15>, 1.5});
  all.push_back({"gauss_seidel", Preconditioner::None, convection(20), red_black_by<12>, 1.2});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Methods, AgainstTheTextbook, testing::ValuesIn(cases()),
                         [](const auto& test) {
                           return test.param.method + "_" +
                                  std::string(name_of(test.param.preconditioner)) + "_" +
                                  std::to_string(test.index);
                         });

}  // namespace
}  // namespace gyre::solvers
