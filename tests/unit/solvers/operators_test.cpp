/// Every way to hold a matrix gives the solutions of the same matrix in compressed rows.
#include "forms.hpp"
#include "gyre/base/error.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

constexpr std::int32_t square_side = 9;

// The five points of a square's Laplacian in every form, and as stencils of the square besides:
// with one value for each offset, and with one for each offset and point.
template <class S>
class Held {
 public:
  std::shared_ptr<const Matrix> in(const std::string& name) const {
    if (name == "grid") return on_the_square(constant_);
    if (name == "varying_grid") return on_the_square(varying_);
    return forms_.in(name);
  }

 private:
  static std::shared_ptr<const Matrix> on_the_square(const std::vector<S>& val) {
    return stencil_matrix(
        BasicStencilView<S>{{square_side, square_side}, nearest_neighbours(2), val});
  }
  static std::vector<S> at_each_point(const std::vector<S>& stencil) {
    std::vector<S> all;
    for (const S one : stencil) all.insert(all.end(), std::size_t{square_side} * square_side, one);
    return all;
  }

  Forms<S> forms_{laplacian(square_side)};
  std::vector<S> constant_ = {4, -1, -1, -1, -1};
  std::vector<S> varying_ = at_each_point(constant_);
};

template <class S>
std::shared_ptr<const Matrix> in(const std::string& form) {
  static const Held<S> held;
  return held.in(form);
}

// The stencil of all diagonals stores zeros, which are entries to what is set up on the host.
std::vector<std::string> forms() {
  auto names = Forms<double>::names();
  std::erase(names, "stencil");
  names.insert(names.end(), {"grid", "varying_grid"});
  return names;
}

// Whether the host knows the entries.
bool has_entries(const std::string& form) {
  return form != "dense" && form != "matrix_free";
}

// Whether the host looks at entries to set something up.
bool looks_at_entries(const Method& method, Preconditioner preconditioner) {
  return method.name == "gauss_seidel" || preconditioner == Preconditioner::Multigrid ||
         preconditioner == Preconditioner::Ilu0 || preconditioner == Preconditioner::Ic0 ||
         preconditioner == Preconditioner::Ssor;
}

class EveryOperator : public testing::TestWithParam<std::string> {};

TEST_P(EveryOperator, SolvesAsCompressedRowsDo) {
  const auto csr = laplacian(square_side);
  const Values b = random_values(static_cast<std::size_t>(csr.rows));
  for (const Method& method : methods()) {
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      if (!method.takes_preconditioner && preconditioner.kind != Preconditioner::None) continue;
      if (!has_entries(GetParam()) && looks_at_entries(method, preconditioner.kind)) continue;
      const bool looks_at_rows = preconditioner.kind != Preconditioner::None &&
                                 preconditioner.kind != Preconditioner::Chebyshev;
      if (!Forms<double>::has_rows(GetParam()) && (looks_at_rows || method.name == "jacobi"))
        continue;
      if (method.name == "richardson" && !looks_at_rows) continue;
      SCOPED_TRACE(std::string(method.name) + " with " + std::string(preconditioner.name));
      const SolverOptions options = {.method = std::string(method.name),
                                     .preconditioner = preconditioner.kind};
      const auto expected = solve(csr, b, {.rtol = 1e-8}, options);

      Values x;
      const auto result = solve_with<double>(in<double>(GetParam()), b, x, options, 1e-8);
      const auto low = solve_with<float>(in<float>(GetParam()), b, x, options, 1e-4);

      EXPECT_EQ(result.reason, Reason::ConvergedRtol);
      if (Forms<double>::has_rows(GetParam())) {
        EXPECT_EQ(result.iterations, expected.result.iterations);
      }
      EXPECT_EQ(low.reason, Reason::ConvergedRtol);
      EXPECT_LT(relative_residual(csr, b, x), 1.1e-4);
    }
  }
}

TEST_P(EveryOperator, RefinesInMixedPrecision) {
  const auto csr = laplacian(square_side);
  const Values b = random_values(static_cast<std::size_t>(csr.rows));

  Values x;
  if (!Forms<double>::has_rows(GetParam())) {
    EXPECT_THROW(solve_with<double>(in<double>(GetParam()), b, x, {.mixed = true}, 1e-12),
                 UsageError);
    return;
  }
  const auto result = solve_with<double>(in<double>(GetParam()), b, x, {.mixed = true}, 1e-12);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_LT(relative_residual(csr, b, x), 1.001e-12);
}

INSTANTIATE_TEST_SUITE_P(Forms, EveryOperator, testing::ValuesIn(forms()),
                         [](const auto& test) { return test.param; });

TEST(Ell, TakesRowsOfAnyLengthAndNone) {
  const auto matrix = dense({{2, 0, 0}, {1, 3, 1}, {0, 0, 4}});
  const auto ell = make_ell(view(matrix));
  Values x;

  EXPECT_EQ(ell.width, 3);
  const auto result =
      solve_with<double>(ell_matrix(ell.view()), {2, 5, 4}, x, {.method = "gmres"}, 1e-12);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_NEAR(x[1], 1, 1e-10);
  EXPECT_EQ(make_ell(view(diagonal({}))).width, 0);
}

support::OwnedArguments with_buffer(support::OwnedArguments data, const std::string& name,
                                    const auto& values, std::vector<std::int64_t> extents) {
  data.with(name, values);
  data.buffers.at(name).extents = std::move(extents);
  return data;
}

TEST(Operators, HaveTheBitsOfTheInterpreter) {
  const auto csr = laplacian(square_side);
  const std::int64_t n = csr.rows;
  const auto run = [&](const std::string& form, support::OwnedArguments data) {
    const Values b = random_values(static_cast<std::size_t>(n));
    data.with("b", b).with("x", Values(b.size())).with("rtol", ir::Value(1e-5));
    for (const bool mixed : {false, true}) {
      const auto program =
          method_named("cg").make_program({.matrix = in<double>(form), .mixed = mixed});
      const auto ran = executors::expect_as_interpreted(text::print(program), data);
      EXPECT_EQ(ran.outcome.status, ir::Status::Completed) << form;
    }
  };

  support::OwnedArguments grid;
  grid.sizes = {{"ny", square_side}, {"nx", square_side}};
  const Values stencil = {4, -1, -1, -1, -1};
  run("grid", with_buffer(grid, "val", stencil, {5, 1}));
  Values at_each_point;
  for (const double one : stencil) at_each_point.insert(at_each_point.end(), csr.rows, one);
  run("varying_grid", with_buffer(grid, "val", at_each_point, {5, n}));

  const auto ell = make_ell(view(csr));
  support::OwnedArguments rows;
  rows.sizes = {{"n", n}, {"width", ell.width}};
  rows = with_buffer(rows, "col", ell.col, {ell.width, n});
  run("ell", with_buffer(rows, "val", ell.val, {ell.width, n}));

  support::OwnedArguments square;
  square.sizes = {{"n", n}};
  Values entries(static_cast<std::size_t>(n * n));
  for (std::int64_t i = 0; i < n; ++i) {
    for (auto k = static_cast<std::size_t>(csr.row[static_cast<std::size_t>(i)]);
         k < static_cast<std::size_t>(csr.row[static_cast<std::size_t>(i + 1)]); ++k) {
      entries[static_cast<std::size_t>(i * n + csr.col[k])] = csr.val[k];
    }
  }
  run("dense", with_buffer(square, "val", entries, {n, n}));
}

}  // namespace
}  // namespace gyre::solvers
