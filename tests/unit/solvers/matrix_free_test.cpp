/// Matrices that are known by their products alone: sweeps or calls of the user's.
#include "gyre/solvers/matrix_free.hpp"

#include "gyre/solvers/methods.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

constexpr std::int32_t side = 9;

// Products written as a foreach, with a buffer and a size of their own.
TEST(MatrixFree, TakesAForeachOfTheUsers) {
  const auto csr = laplacian(side);
  const Values b = random_values(static_cast<std::size_t>(csr.rows));
  const Values four = {4};
  const auto declare = [](builder::Program& p, const Index& n) -> Product<double> {
    const auto width = p.size("side");
    const auto centre = p.in<double>("centre", {1});
    return [&p, n, width, centre](const Vector<double>& v, const Vector<double>& q) {
      p.foreach(0, n, [&](const Index& i) {
        q[i] = centre[0] * v[i] - select(i % width > 0, v[i - 1], 0.0) -
               select(i % width < width - 1, v[i + 1], 0.0) -
               select(i >= width, v[i - width], 0.0) - select(i < n - width, v[i + width], 0.0);
      });
    };
  };
  const auto bind = [&](Executable& executable) {
    executable.set_size("side", side);
    executable.bind("centre", std::span(four));
  };
  Values x;

  const auto result = solve_with<double>(
      matrix_free<double>({.n = csr.rows, .declare = declare, .bind = bind}), b, x, {}, 1e-10);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_LT(relative_residual(csr, b, x), 1.001e-10);
}

TEST(MatrixFree, TakesACallOfTheUsers) {
  const auto csr = laplacian(side);
  const Values b = random_values(static_cast<std::size_t>(csr.rows));
  const auto declare = [&](builder::Program& p, const Index&) -> Product<double> {
    return [&](const Vector<double>& v, const Vector<double>& q) {
      p.call("apply", builder::reads(v), builder::writes(q),
             [&csr, v, q](builder::HostCallContext& c) {
               const auto from = c.span(v);
               const auto product = io::multiply(csr, Values(from.begin(), from.end()));
               std::copy(product.begin(), product.end(), c.span(q).begin());
             });
    };
  };
  Values x;

  const auto result = solve_with<double>(matrix_free<double>({.n = csr.rows, .declare = declare}),
                                         b, x, {.compile = {.executor = "cpu"}}, 1e-10);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_LT(relative_residual(csr, b, x), 1.001e-10);
}

TEST(MatrixFree, NanOnTheWayIsFoundAtOnceAndNeverConvergence) {
  const auto csr = laplacian(side);
  const Values b = random_values(static_cast<std::size_t>(csr.rows));
  for (const Method& method : methods()) {
    if (!method.takes_preconditioner || method.name == "richardson") continue;
    int products = 0;
    const auto declare = [&](builder::Program& p, const Index&) -> Product<double> {
      return [&](const Vector<double>& v, const Vector<double>& q) {
        p.call("apply", builder::reads(v), builder::writes(q),
               [&csr, &products, v, q](builder::HostCallContext& c) {
                 const auto from = c.span(v);
                 auto product = io::multiply(csr, Values(from.begin(), from.end()));
                 // Beyond what estimates a spectrum.
                 if (++products == 17) product[5] = std::nan("");
                 std::copy(product.begin(), product.end(), c.span(q).begin());
               });
      };
    };
    Values x;

    const auto result = solve_with<double>(
        matrix_free<double>({.n = csr.rows, .declare = declare}), b, x,
        {.method = std::string(method.name), .compile = {.executor = "cpu"}}, 1e-13);

    EXPECT_EQ(result.reason, Reason::NanOrInf) << method.name;
    EXPECT_LE(result.iterations, 17) << method.name;
  }
}

}  // namespace
}  // namespace gyre::solvers
