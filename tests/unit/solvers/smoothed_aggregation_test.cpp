#include "gyre/solvers/smoothed_aggregation.hpp"

#include "support/refusal.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<double>;

// −Δ on a cube of side³ points with zeros around, each direction with its own coefficient.
SparseMatrix poisson(std::int64_t side, std::array<double, 3> coefficients = {1, 1, 1}) {
  const std::int64_t n = side * side * side;
  SparseMatrix a{.rows = n, .columns = n};
  const std::array<std::int64_t, 3> strides = {side * side, side, 1};
  for (std::int64_t i = 0; i < n; ++i) {
    const auto coordinate = [&](std::size_t axis) { return i / strides[axis] % side; };
    const auto add = [&](std::int64_t j, double value) {
      a.col.push_back(static_cast<std::int32_t>(j));
      a.val.push_back(value);
    };
    for (const std::size_t axis : {0, 1, 2}) {
      if (coordinate(axis) > 0) add(i - strides[axis], -coefficients[axis]);
    }
    add(i, 2 * (coefficients[0] + coefficients[1] + coefficients[2]));
    for (const std::size_t axis : {2, 1, 0}) {
      if (coordinate(axis) + 1 < side) add(i + strides[axis], -coefficients[axis]);
    }
    a.row.push_back(static_cast<std::int32_t>(a.col.size()));
  }
  return a;
}

Numbers product(const SparseMatrix& a, const Numbers& v) {
  Numbers q(static_cast<std::size_t>(a.rows));
  for (std::size_t i = 0; i < q.size(); ++i) {
    for (auto k = static_cast<std::size_t>(a.row[i]); k < static_cast<std::size_t>(a.row[i + 1]);
         ++k) {
      q[i] += a.val[k] * v[static_cast<std::size_t>(a.col[k])];
    }
  }
  return q;
}

double inner(const Numbers& one, const Numbers& other) {
  return std::inner_product(one.begin(), one.end(), other.begin(), 0.0);
}

// A V-cycle with one Jacobi step down and one up.
Numbers v_cycle(const Multigrid& grid, std::size_t number, const Numbers& r) {
  const MultigridLevel& level = grid.levels[number];
  Numbers z(r.size());
  if (number + 1 == grid.levels.size() && !grid.coarsest_inverse.empty()) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      for (std::size_t j = 0; j < r.size(); ++j) {
        z[i] += grid.coarsest_inverse[i * r.size() + j] * r[j];
      }
    }
    return z;
  }
  const auto smooth = [&] {
    const Numbers az = product(level.a, z);
    for (std::size_t i = 0; i < z.size(); ++i) {
      z[i] += level.weight * level.inverse_diagonal[i] * (r[i] - az[i]);
    }
  };
  smooth();
  if (number + 1 < grid.levels.size()) {
    Numbers left = product(level.a, z);
    for (std::size_t i = 0; i < left.size(); ++i) left[i] = r[i] - left[i];
    const Numbers correction =
        product(level.prolongation, v_cycle(grid, number + 1, product(level.restriction, left)));
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += correction[i];
  }
  smooth();
  return z;
}

// Trips of conjugate gradients with that cycle until ‖r‖ <= 1e-8 ‖b‖, where b is of ones.
int trips_of(const SparseMatrix& a, const Multigrid& grid) {
  Numbers x(static_cast<std::size_t>(a.rows));
  Numbers r(x.size(), 1.0);
  Numbers z = v_cycle(grid, 0, r);
  Numbers p = z;
  double rz = inner(r, z);
  const double target = 1e-16 * inner(r, r);
  for (int trip = 1; trip <= 200; ++trip) {
    const Numbers q = product(a, p);
    const double alpha = rz / inner(p, q);
    for (std::size_t i = 0; i < x.size(); ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    if (inner(r, r) <= target) return trip;
    z = v_cycle(grid, 0, r);
    const double next = inner(r, z);
    for (std::size_t i = 0; i < x.size(); ++i) p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
  return 1000;
}

TEST(SmoothedAggregation, TripsHardlyGrowWithTheProblem) {
  std::vector<int> trips;
  for (const std::int64_t side : {8, 16, 32}) {
    const SparseMatrix a = poisson(side);
    const Multigrid grid = aggregate(a);
    trips.push_back(trips_of(a, grid));
    EXPECT_LT(grid.operator_complexity(), 1.8) << side;
  }

  EXPECT_LE(trips[0], 14);
  EXPECT_LT(trips[2], 1.5 * trips[0]);
}

TEST(SmoothedAggregation, FollowsStrongCouplingsOnly) {
  // Aggregates of an isotropic problem reach in every direction: there it would fare worse.
  const SparseMatrix a = poisson(16, {1, 1, 1e-4});

  EXPECT_LE(trips_of(a, aggregate(a)), 20);
}

TEST(SmoothedAggregation, CoarseMatricesAreSymmetricAndSmaller) {
  const Multigrid grid = aggregate(poisson(12));

  ASSERT_GE(grid.levels.size(), 2u);
  for (std::size_t level = 1; level < grid.levels.size(); ++level) {
    const SparseMatrix& a = grid.levels[level].a;
    const SparseMatrix t = transpose(a);
    EXPECT_LT(a.rows, grid.levels[level - 1].a.rows / 4);
    EXPECT_EQ(t.col, a.col);
    for (std::size_t k = 0; k < a.val.size(); ++k) EXPECT_NEAR(t.val[k], a.val[k], 1e-12);
  }
  EXPECT_LE(grid.levels.back().a.rows, 256);
}

TEST(SmoothedAggregation, OfFewRowsIsTheInverse) {
  const SparseMatrix a = poisson(3);
  const Multigrid grid = aggregate(a);

  EXPECT_EQ(grid.levels.size(), 1u);
  EXPECT_EQ(trips_of(a, grid), 1);
}

TEST(SmoothedAggregation, OfRowsThatAreNotCoupledHasOneLevel) {
  SparseMatrix a{.rows = 1000, .columns = 1000};
  for (std::int32_t i = 0; i < 1000; ++i) {
    a.col.push_back(i);
    a.val.push_back(1.0 + i);
    a.row.push_back(i + 1);
  }

  const Multigrid grid = aggregate(a);

  EXPECT_EQ(grid.levels.size(), 1u);
  EXPECT_TRUE(grid.coarsest_inverse.empty());
  EXPECT_LE(trips_of(a, grid), 3);
}

TEST(SmoothedAggregation, OfOneRowAndOfNoneWorks) {
  EXPECT_EQ(aggregate({1, 1, {0, 1}, {0}, {4.0}}).coarsest_inverse, Numbers{0.25});
  EXPECT_TRUE(aggregate({0, 0, {0}, {}, {}}).coarsest_inverse.empty());
}

TEST(SmoothedAggregation, NamesTheRowThatIsNotPositive) {
  const auto complaint = [](SparseMatrix a) -> std::string {
    return support::refusal([&] { aggregate(std::move(a)); });
  };

  EXPECT_THAT(complaint({2, 2, {0, 1, 2}, {0, 0}, {1, 1}}), HasSubstr("row 2 has"));
  EXPECT_THAT(complaint({2, 2, {0, 1, 2}, {0, 1}, {1, -1}}), HasSubstr("row 2 has"));
  EXPECT_THAT(complaint({1, 1, {0, 1}, {0}, {std::nan("")}}), HasSubstr("row 1 has"));
  EXPECT_THAT(complaint({2, 2, {0, 2, 4}, {0, 1, 0, 1}, {1, 2, 2, 1}}),
              HasSubstr("not positive definite: its coarsest form, of 2 rows, fails at row 2"));
  EXPECT_THAT(complaint({1, 2, {0, 1}, {0}, {1}}), HasSubstr("not square"));
}

}  // namespace
}  // namespace gyre::solvers
