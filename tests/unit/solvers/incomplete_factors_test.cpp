/// Incomplete factors without fill, against the loops of a textbook over dense arrays.
#include "incomplete.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

// Elimination that leaves zeros of A zeros: L below the diagonal, U on and above it.
Dense ilu_of(Dense a) {
  const Dense pattern = a;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      if (pattern[i][k] == 0) continue;
      a[i][k] /= a[k][k];
      for (std::size_t j = k + 1; j < a.size(); ++j) {
        if (pattern[i][j] != 0) a[i][j] -= a[i][k] * a[k][j];
      }
    }
  }
  return a;
}

// The Cholesky factor with roots, of the lower triangle, zeros of A left zeros.
Dense cholesky_of(const Dense& a) {
  Dense l(a.size(), Values(a.size()));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (a[i][j] == 0) continue;
      double rest = a[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= l[i][k] * l[j][k];
      l[i][j] = i == j ? std::sqrt(rest) : rest / l[j][j];
    }
  }
  return l;
}

// (L U)⁻¹ r, where L has ones on its diagonal.
Values solved_by_ilu(const Dense& lu, Values r) {
  for (std::size_t i = 0; i < r.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) r[i] -= lu[i][j] * r[j];
  }
  for (std::size_t i = r.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < r.size(); ++j) r[i] -= lu[i][j] * r[j];
    r[i] /= lu[i][i];
  }
  return r;
}

// (L Lᵀ)⁻¹ r
Values solved_by_cholesky(const Dense& l, Values r) {
  for (std::size_t i = 0; i < r.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) r[i] -= l[i][j] * r[j];
    r[i] /= l[i][i];
  }
  for (std::size_t i = r.size(); i-- > 0;) {
    for (std::size_t j = i + 1; j < r.size(); ++j) r[i] -= l[j][i] * r[j];
    r[i] /= l[i][i];
  }
  return r;
}

void expect_near(const Values& found, const Values& expected, double tolerance) {
  double size = 0;
  for (const double one : expected) size = std::max(size, std::abs(one));
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], tolerance * size) << i;
  }
}

TEST(Ilu0, IsTheTextbooksElementByElement) {
  for (const auto& matrix : {laplacian(7, 3.0), scattered(50, 1), scattered(50, 4)}) {
    const Dense factors = ilu_of(full(matrix));
    const auto n = static_cast<std::size_t>(matrix.rows);
    for (std::size_t j = 0; j < n; ++j) {
      Values unit(n);
      unit[j] = 1;

      expect_near(applied(matrix, unit, ilu), solved_by_ilu(factors, unit), 1e-13);
    }
  }
}

TEST(Ic0, IsTheTextbooksElementByElement) {
  for (const auto& matrix :
       {laplacian(7, 3.0), symmetric(scattered(50, 1)), symmetric(scattered(50, 4))}) {
    const Dense factor = cholesky_of(full(matrix));
    const auto n = static_cast<std::size_t>(matrix.rows);
    for (std::size_t j = 0; j < n; ++j) {
      Values unit(n);
      unit[j] = 1;

      expect_near(applied(matrix, unit, ic), solved_by_cholesky(factor, unit), 1e-13);
    }
  }
}

// Residuals of conjugate gradients with M⁻¹ as a function.
template <class Apply>
Values textbook_cg(const io::CsrMatrix& a, const Values& b, const Apply& apply, std::size_t trips) {
  Values r = b;
  Values z = apply(r);
  Values p = z;
  double rz = textbook::dot(r, z);
  Values history = {norm(r)};
  for (std::size_t trip = 0; trip < trips; ++trip) {
    const Values q = io::multiply(a, p);
    textbook::add(r, -rz / textbook::dot(p, q), q);
    z = apply(r);
    const double next = textbook::dot(r, z);
    p = textbook::scaled(next / rz, p);
    textbook::add(p, 1, z);
    rz = next;
    history.push_back(norm(r));
  }
  return history;
}

TEST(Ic0, ConjugateGradientsHaveTheResidualsOfTheTextbookTripByTrip) {
  const auto matrix = laplacian(16, 3.0);
  const Values b = random_values(256);
  const Dense factor = cholesky_of(full(matrix));
  SolverOptions options = ic;
  options.history = 100;

  const auto solved = solve(matrix, b, {.rtol = 1e-8}, options);

  const auto& history = solved.result.history;
  const auto expected = textbook_cg(
      matrix, b, [&](const Values& r) { return solved_by_cholesky(factor, r); },
      history.size() - 1);
  ASSERT_GT(history.size(), 10U);
  // The last is b − A x, computed anew.
  for (std::size_t trip = 0; trip < history.size(); ++trip) {
    EXPECT_NEAR(history[trip] / expected[trip], 1.0, 1e-6) << "trip " << trip;
  }
}

TEST(Ic0, LooksAtTheLowerTriangleAlone) {
  const auto matrix = symmetric(scattered(30, 3));
  Dense upper_changed = full(matrix);
  for (std::size_t i = 0; i < upper_changed.size(); ++i) {
    for (std::size_t j = i + 1; j < upper_changed.size(); ++j) upper_changed[i][j] *= -7;
  }
  const Values b = random_values(30);

  EXPECT_EQ(applied(dense(upper_changed), b, ic), applied(matrix, b, ic));
}

}  // namespace
}  // namespace gyre::solvers
