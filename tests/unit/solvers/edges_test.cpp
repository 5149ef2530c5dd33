/// Every form of a matrix, in every precision and by every method, ends at the edges as it should:
/// a table of systems and of the reasons and trips that are theirs.
#include "forms.hpp"
#include "gyre/solvers/methods.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <Eigen/Dense>
#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

struct Kind {
  std::string form;
  std::string precision;
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.form << " in " << kind.precision;
}

// A system and how its solve ends.
struct Edge {
  std::string name;
  io::CsrMatrix matrix;
  Values b;
  Values x = {};
  SolveOptions options = {};
  std::vector<Reason> reasons = {Reason::ConvergedRtol};
  std::optional<std::int64_t> iterations = {};
  // Bit for bit.
  std::optional<Values> solution = {};
};

io::CsrMatrix with(io::CsrMatrix matrix, std::size_t entry, double value) {
  matrix.val[entry] = value;
  return matrix;
}

Values with(Values values, std::size_t element, double value) {
  values[element] = value;
  return values;
}

// What every method does alike.
std::vector<Edge> common_edges() {
  const Values b = random_values(37);
  const std::vector<Reason> not_finite = {Reason::NanOrInf};
  return {
      {"b = 0",
       tridiagonal(37),
       Values(37, 0.0),
       Values(37, 5.0),
       {},
       {Reason::ConvergedRtol},
       0,
       Values(37, 0.0)},
      {"an exact start",
       diagonal({2, 4, 8}),
       {2, 8, 24},
       {1, 2, 3},
       {.rtol = 0},
       {Reason::ConvergedRtol},
       0,
       Values{1, 2, 3}},
      {"no rows", diagonal({}), {}, {}, {}, {Reason::ConvergedRtol}, 0},
      {"one row", diagonal({4}), {8}, {}, {.rtol = 1e-5, .relaxation = 0.25}},
      {"an odd number of rows", tridiagonal(37), b, {}, {.rtol = 1e-5, .relaxation = 0.25}},
      {"a start of its own",
       tridiagonal(37),
       b,
       random_values(37),
       {.rtol = 1e-5, .relaxation = 0.25}},
      {"NaN in the matrix", with(tridiagonal(37), 7, nan), b, {}, {}, not_finite, 0},
      {"infinity in the matrix", with(tridiagonal(37), 7, infinity), b, {}, {}, not_finite, 0},
      {"NaN in b", tridiagonal(37), with(b, 3, nan), {}, {}, not_finite, 0},
      {"infinity in b", tridiagonal(37), with(b, 3, -infinity), {}, {}, not_finite, 0},
      {"NaN in the start", tridiagonal(37), b, with(b, 36, nan), {}, not_finite, 0},
      {"a tolerance below the precision",
       tridiagonal(37),
       b,
       {},
       {.rtol = 1e-18, .relaxation = 0.25},
       {Reason::Stagnated}},
      {"no trips",
       tridiagonal(37),
       b,
       {},
       {.max_trips = 0},
       {Reason::MaxTrips},
       0,
       Values(37, 0.0)},
      {"a limit",
       tridiagonal(37),
       b,
       {},
       {.rtol = 1e-15, .max_trips = 3, .relaxation = 0.25},
       {Reason::MaxTrips},
       3},
      {"a limit and a later look",
       tridiagonal(37),
       b,
       {},
       {.rtol = 1e-15, .max_trips = 5, .check_every = 7, .relaxation = 0.25},
       {Reason::MaxTrips},
       5},
      {"atol alone",
       tridiagonal(37),
       b,
       {},
       {.rtol = 0, .atol = 1e-3, .relaxation = 0.25},
       {Reason::ConvergedAtol}},
      {"an empty row that b does not ask for",
       diagonal({2, 0, 4}),
       {2, 0, 4},
       {},
       {.rtol = 1e-5, .relaxation = 0.25}},
  };
}

class EveryForm : public testing::TestWithParam<Kind> {
 protected:
  Solved solve_as(const io::CsrMatrix& matrix, const Values& b, Values x,
                  const SolveOptions& options, SolverOptions solver) const {
    x.resize(b.size(), 0.0);
    solver.mixed = GetParam().precision == "mixed";
    if (GetParam().precision != "f32") {
      const Forms<double> forms(matrix);
      Solver one(forms.in(GetParam().form), solver);
      auto result = one.solve(b, x, options);
      return {std::move(result), std::move(x)};
    }
    const Forms<float> forms(matrix);
    const std::vector<float> rhs(b.begin(), b.end());
    std::vector<float> low(x.begin(), x.end());
    Solver one(forms.in(GetParam().form), solver);
    auto result = one.solve(rhs, low, options);
    return {std::move(result), Values(low.begin(), low.end())};
  }

  void expect(const Edge& edge, const SolverOptions& solver) const {
    SCOPED_TRACE(edge.name + " by " + solver.method);
    SolveOptions options = edge.options;
    if (solver.method != "richardson") options.relaxation = 1;

    const auto solved = solve_as(edge.matrix, edge.b, edge.x, options, solver);

    const auto& result = solved.result;
    EXPECT_TRUE(std::find(edge.reasons.begin(), edge.reasons.end(), result.reason) !=
                edge.reasons.end())
        << name_of(result.reason) << " after " << result.iterations;
    if (edge.iterations) {
      EXPECT_EQ(result.iterations, *edge.iterations);
    }
    if (edge.solution) {
      EXPECT_EQ(solved.x, *edge.solution);
    }
    if (result.reason == Reason::NanOrInf) return;
    EXPECT_TRUE(std::isfinite(norm(solved.x)));
    if (norm(edge.b) == 0) return;
    // Vectors of f32 round b − A x, and f32 rounds b and the matrix too.
    const double residual = relative_residual(edge.matrix, edge.b, solved.x);
    const double rounding = GetParam().precision == "f64" ? 1e-12 : 1e-6;
    EXPECT_NEAR(residual, result.relative_residual, rounding * std::max(1.0, residual));
  }
};

TEST_P(EveryForm, EndsAtItsEdgesByEveryMethodAsItShould) {
  for (const Edge& edge : common_edges()) {
    for (const Method& method : methods()) {
      const std::string name(method.name);
      if (!Forms<double>::takes(GetParam().form, name)) continue;
      // What divides by the diagonal says so below.
      if (!method.takes_preconditioner && edge.name.starts_with("an empty row")) continue;
      expect(edge, {.method = name});
    }
  }
}

// What each does in its own way.
TEST_P(EveryForm, EndsWhereItsMethodCannotGoOn) {
  const auto ones = dense({{1, 1}, {1, 1}});
  const auto skew = dense({{0, 1}, {-1, 0}});
  const auto half = diagonal({2, 0, 4});
  const Edge consistent{"singular and consistent", ones, {2, 2}, {}, {.rtol = 1e-5}};
  const Edge inconsistent{"singular and inconsistent", ones, {1, -1}, {}, {}, {}, 0, Values{0, 0}};
  const Edge indefinite{"indefinite", diagonal({1, -3}), {1, 0.5}, {}, {.rtol = 1e-5}};
  const Edge empty{"an empty row", half, {2, 1, 4}, {}, {.max_trips = 100}};
  const auto ends = [&](std::string method, Edge edge, std::vector<Reason> reasons,
                        std::optional<std::int64_t> iterations = {}) {
    edge.reasons = std::move(reasons);
    edge.iterations = iterations;
    expect(edge, {.method = std::move(method)});
  };

  for (const auto* method : {"cg", "chronopoulos_gear", "minres", "bicgstab", "gmres"}) {
    ends(method, consistent, {Reason::ConvergedRtol}, 1);
  }
  ends("cg", inconsistent, {Reason::Indefinite}, 0);
  ends("chronopoulos_gear", inconsistent, {Reason::Indefinite}, 0);
  ends("minres", inconsistent, {Reason::Breakdown}, 0);
  ends("bicgstab", inconsistent, {Reason::Breakdown}, 0);
  ends("gmres", inconsistent, {Reason::Stagnated});
  ends("cg", indefinite, {Reason::Indefinite}, 1);
  ends("chronopoulos_gear", indefinite, {Reason::Indefinite}, 1);
  ends("minres", indefinite, {Reason::ConvergedRtol}, 2);
  ends("gmres", indefinite, {Reason::ConvergedRtol}, 2);
  ends("bicgstab", {"skew", skew, {1, 0}, {}, {}, {}, 0, Values{0, 0}}, {Reason::Breakdown}, 0);
  ends("gmres", {"skew", skew, {1, 0}, {}, {.rtol = 1e-5}}, {Reason::ConvergedRtol}, 2);
  ends("richardson", {"growing", diagonal({1, 10}), {1, 1}, {}, {.relaxation = 1}}, {Reason::Dtol});
  // x grows without end where A has nothing, or the trips meet no curvature there.
  ends("cg", empty, {Reason::Indefinite, Reason::Dtol, Reason::Stagnated});
  ends("gmres", empty, {Reason::Stagnated, Reason::MaxTrips});
  if (!Forms<double>::has_rows(GetParam().form)) return;
  for (const Method& method : methods()) {
    if (!Forms<double>::takes(GetParam().form, method.name)) continue;
    const SolverOptions with_jacobi = {.method = std::string(method.name),
                                       .preconditioner = method.takes_preconditioner
                                                             ? Preconditioner::Jacobi
                                                             : Preconditioner::None};
    const auto result = solve_as(half, {2, 1, 4}, {}, {}, with_jacobi).result;

    EXPECT_EQ(result.reason, Reason::NoDiagonal) << method.name;
    EXPECT_EQ(result.row, 1) << method.name;
    EXPECT_EQ(result.iterations, 0) << method.name;
  }
}

// Trip by trip, as far as rounding lets two orders of summation agree.
TEST_P(EveryForm, GoesTheWayOfTheTextbook) {
  const auto matrix = tridiagonal(37);
  const Values b = random_values(37);
  const bool is_low = GetParam().precision != "f64";
  const int trips = is_low ? 6 : 12;
  const auto gmres = [](const io::CsrMatrix& a, const Values& rhs, const Values& inverse, int k) {
    return textbook::gmres(a, rhs, inverse, k, 30);
  };
  const auto richardson = [](const io::CsrMatrix& a, const Values& rhs, const Values& inverse,
                             int k) { return textbook::richardson(a, rhs, inverse, k, 0.25); };
  const auto compare = [&](const std::string& method, const auto& textbook) {
    const auto solved = solve_as(matrix, b, {}, {.rtol = 0, .max_trips = trips, .relaxation = 0.25},
                                 {.method = method, .history = 100});
    const Values expected = textbook(matrix, b, Values(37, 1.0), trips);
    ASSERT_EQ(solved.result.history.size(), expected.size()) << method;
    for (std::size_t trip = 0; trip < expected.size(); ++trip) {
      EXPECT_NEAR(solved.result.history[trip] / expected[trip], 1, is_low ? 2e-4 : 1e-9)
          << method << " trip " << trip;
    }
  };

  compare("cg", textbook::cg);
  compare("chronopoulos_gear", textbook::cg);
  compare("minres", textbook::minres);
  compare("bicgstab", textbook::bicgstab);
  compare("gmres", gmres);
  compare("richardson", richardson);
  if (Forms<double>::has_rows(GetParam().form)) compare("chebyshev", textbook::chebyshev);
}

TEST_P(EveryForm, AgreesWithEigen) {
  const auto matrix = tridiagonal(37);
  const Values b = random_values(37);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(37, 37);
  for (std::int64_t i = 0; i < 37; ++i) {
    for (auto k = matrix.row[static_cast<std::size_t>(i)];
         k < matrix.row[static_cast<std::size_t>(i) + 1]; ++k) {
      a(i, matrix.col[static_cast<std::size_t>(k)]) += matrix.val[static_cast<std::size_t>(k)];
    }
  }
  const Eigen::VectorXd expected =
      a.partialPivLu().solve(Eigen::Map<const Eigen::VectorXd>(b.data(), 37));
  const bool is_f32 = GetParam().precision == "f32";

  for (const Method& method : methods()) {
    if (!Forms<double>::takes(GetParam().form, method.name)) continue;
    const auto solved = solve_as(
        matrix, b, {},
        {.rtol = is_f32 ? 1e-6 : 1e-13, .relaxation = method.name == "richardson" ? 0.25 : 1},
        {.method = std::string(method.name)});

    EXPECT_EQ(solved.result.reason, Reason::ConvergedRtol) << method.name;
    for (Eigen::Index i = 0; i < 37; ++i) {
      EXPECT_NEAR(solved.x[static_cast<std::size_t>(i)], expected(i), is_f32 ? 1e-5 : 1e-12)
          << method.name;
    }
  }
}

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const auto& form : Forms<double>::names()) {
    for (const auto& precision : precisions()) {
      // Products of one type are of no use to vectors of another.
      if (precision == "mixed" && !Forms<double>::has_rows(form)) continue;
      all.push_back({form, precision});
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Forms, EveryForm, testing::ValuesIn(kinds()), [](const auto& test) {
  return test.param.form + "_" + test.param.precision;
});

}  // namespace
}  // namespace gyre::solvers
