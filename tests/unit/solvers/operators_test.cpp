/// Every way to hold a matrix gives the solutions of the same matrix in compressed rows.
#include "gyre/base/error.hpp"
#include "gyre/solvers/dense_matrix.hpp"
#include "gyre/solvers/ell_matrix.hpp"
#include "gyre/solvers/matrix_free.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/sell_matrix.hpp"
#include "gyre/solvers/stencil_matrix.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

using textbook::random_values;

constexpr std::int32_t side = 9;

// 4 u − neighbours on a square.
const std::vector<double> five_points = {4, -1, -1, -1, -1};

// The same matrix in arrays of one way or another, in S.
template <class S>
struct Holder {
  io::CsrMatrix csr = laplacian(side);
  std::vector<S> val = {csr.val.begin(), csr.val.end()};
  EllArrays<S> ell = make_ell(BasicCsrView<S>{csr.rows, csr.row, csr.col, val});
  // In slices that end within the matrix, and sorted in windows that end within slices.
  SellArrays<S> sell = make_sell(BasicCsrView<S>{csr.rows, csr.row, csr.col, val}, {16, 1});
  SellArrays<S> sorted = make_sell(BasicCsrView<S>{csr.rows, csr.row, csr.col, val}, {8, 20});
  std::vector<S> dense = std::vector<S>(static_cast<std::size_t>(csr.rows * csr.rows));
  std::vector<S> constant = {five_points.begin(), five_points.end()};
  std::vector<S> varying;

  Holder() {
    for (std::int64_t i = 0; i < csr.rows; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (auto k = csr.row[at]; k < csr.row[at + 1]; ++k) {
        const auto entry = static_cast<std::size_t>(k);
        dense[static_cast<std::size_t>(i * csr.rows + csr.col[entry])] = val[entry];
      }
    }
    for (const double one : five_points) {
      varying.insert(varying.end(), static_cast<std::size_t>(csr.rows), static_cast<S>(one));
    }
  }
};

template <class S>
Holder<S>& holder() {
  static Holder<S> one;
  return one;
}

template <class S>
std::shared_ptr<const Matrix> in_ell() {
  return ell_matrix(holder<S>().ell.view());
}
template <class S>
std::shared_ptr<const Matrix> in_sell() {
  return sell_matrix(holder<S>().sell.view());
}
template <class S>
std::shared_ptr<const Matrix> in_sorted_sell() {
  return sell_matrix(holder<S>().sorted.view());
}
template <class S>
std::shared_ptr<const Matrix> in_dense() {
  return dense_matrix(BasicDenseView<S>{holder<S>().csr.rows, holder<S>().dense});
}
template <class S>
std::shared_ptr<const Matrix> in_stencil() {
  return stencil_matrix(
      BasicStencilView<S>{{side, side}, nearest_neighbours(2), holder<S>().constant});
}
template <class S>
std::shared_ptr<const Matrix> in_varying_stencil() {
  return stencil_matrix(
      BasicStencilView<S>{{side, side}, nearest_neighbours(2), holder<S>().varying});
}
// Products written as a foreach, with a buffer and a size of their own.
template <class S>
std::shared_ptr<const Matrix> in_foreach() {
  const auto declare = [](builder::Program& p, const Index& n) -> Product<S> {
    const auto width = p.size("side");
    const auto centre = p.in<S>("centre", {1});
    return [&p, n, width, centre](const Vector<S>& v, const Vector<S>& q) {
      p.foreach(0, n, [&](const Index& i) {
        q[i] = centre[0] * v[i] - select(i % width > 0, v[i - 1], 0.0) -
               select(i % width < width - 1, v[i + 1], 0.0) -
               select(i >= width, v[i - width], 0.0) - select(i < n - width, v[i + width], 0.0);
      });
    };
  };
  const auto bind = [](Executable& executable) {
    executable.set_size("side", side);
    executable.bind("centre", std::span(holder<S>().constant).first(1));
  };
  return matrix_free<S>({.n = holder<S>().csr.rows, .declare = declare, .bind = bind});
}

struct Held {
  std::string name;
  std::function<std::shared_ptr<const Matrix>()> f64;
  std::function<std::shared_ptr<const Matrix>()> f32;
  // Whether sums over rows can be asked for, and whether the host knows the entries.
  bool has_rows = true;
  bool has_entries = true;
};

// Whether something is set up on the host.
bool looks_at_entries(const Method& method, Preconditioner preconditioner) {
  return method.name == "gauss_seidel" || preconditioner == Preconditioner::Multigrid ||
         preconditioner == Preconditioner::Ilu0 || preconditioner == Preconditioner::Ic0 ||
         preconditioner == Preconditioner::Ssor;
}

void PrintTo(const Held& held, std::ostream* out) {
  *out << held.name;
}

class EveryOperator : public testing::TestWithParam<Held> {};

TEST_P(EveryOperator, SolvesAsCompressedRowsDo) {
  const auto csr = laplacian(side);
  const Values b = random_values(static_cast<std::size_t>(csr.rows));
  for (const Method& method : methods()) {
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      if (!method.takes_preconditioner && preconditioner.kind != Preconditioner::None) continue;
      if (!GetParam().has_entries && looks_at_entries(method, preconditioner.kind)) continue;
      const bool looks_at_rows = preconditioner.kind != Preconditioner::None &&
                                 preconditioner.kind != Preconditioner::Chebyshev;
      if (!GetParam().has_rows && (looks_at_rows || method.name == "jacobi")) continue;
      if (method.name == "richardson" && !looks_at_rows) continue;
      SCOPED_TRACE(std::string(method.name) + " with " + std::string(preconditioner.name));
      const SolverOptions options = {.method = std::string(method.name),
                                     .preconditioner = preconditioner.kind};
      const auto expected = solve(csr, b, {.rtol = 1e-8}, options);

      Values x;
      const auto result = solve_with<double>(GetParam().f64(), b, x, options, 1e-8);
      const auto low = solve_with<float>(GetParam().f32(), b, x, options, 1e-4);

      EXPECT_EQ(result.reason, Reason::ConvergedRtol);
      if (GetParam().has_rows) {
        EXPECT_EQ(result.iterations, expected.result.iterations);
      }
      EXPECT_EQ(low.reason, Reason::ConvergedRtol);
      EXPECT_LT(relative_residual(csr, b, x), 1.1e-4);
    }
  }
}

TEST_P(EveryOperator, RefinesInMixedPrecision) {
  const auto csr = laplacian(side);
  const Values b = random_values(static_cast<std::size_t>(csr.rows));

  Values x;
  if (!GetParam().has_rows) {
    EXPECT_THROW(solve_with<double>(GetParam().f64(), b, x, {.mixed = true}, 1e-12), UsageError);
    return;
  }
  const auto result = solve_with<double>(GetParam().f64(), b, x, {.mixed = true}, 1e-12);

  EXPECT_EQ(result.reason, Reason::ConvergedRtol);
  EXPECT_LT(relative_residual(csr, b, x), 1.001e-12);
}

INSTANTIATE_TEST_SUITE_P(
    Held, EveryOperator,
    testing::Values(Held{"ell", in_ell<double>, in_ell<float>},
                    Held{"sell", in_sell<double>, in_sell<float>},
                    Held{"sorted_sell", in_sorted_sell<double>, in_sorted_sell<float>},
                    Held{"dense", in_dense<double>, in_dense<float>, true, false},
                    Held{"stencil", in_stencil<double>, in_stencil<float>},
                    Held{"varying", in_varying_stencil<double>, in_varying_stencil<float>},
                    Held{"foreach", in_foreach<double>, in_foreach<float>, false, false}),
    [](const auto& test) { return test.param.name; });

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

std::string complaint(const std::function<void()>& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(Operators, SayWhatIsNoMatrix) {
  const std::vector<double> two = {1, 2};
  const std::vector<std::int32_t> columns = {0, 2};

  EXPECT_EQ(
      complaint([&] {
        ell_matrix(EllView{2, 2, columns, two});
      }),
      "the matrix: 2 rows of 2 entries need as many columns and values, and 2 and 2 are given");
  EXPECT_EQ(complaint([&] {
              ell_matrix(EllView{2, 1, columns, two});
            }),
            "the matrix: column 2 is outside -1 .. 2");
  const std::vector<std::int32_t> none = {0, -1};
  EXPECT_EQ(complaint([&] {
              ell_matrix(EllView{2, 1, none, two});
            }),
            "the matrix: a value without a column is not 0");
  EXPECT_EQ(complaint([&] {
              dense_matrix(DenseView{2, two});
            }),
            "the matrix: 2 x 2 entries need as many values, and 2 are given");
  EXPECT_EQ(complaint([&] {
              stencil_matrix(StencilView{{70000, 70000}, {{0, 0}}, two});
            }),
            "the matrix: a grid has less than 2^31 points");
  EXPECT_EQ(
      complaint([&] {
        stencil_matrix(StencilView{{3}, {{0}}, two});
      }),
      "the matrix: 1 offsets on 3 points need a value each, or one for each point; there are 2");
  EXPECT_EQ(complaint([&] {
              stencil_matrix(StencilView{{3}, {{0, 1}, {1, 1}}, two});
            }),
            "the matrix: an offset needs a coordinate for each extent");
  EXPECT_EQ(complaint([&] { matrix_free<double>({.n = 3, .declare = {}}); }),
            "the matrix: it has no product");
  EXPECT_EQ(complaint([&] {
              Solver solver(in_foreach<double>(), {.preconditioner = Preconditioner::Jacobi});
            }),
            "the matrix: it is only known by its products, and its rows are asked for");
  EXPECT_EQ(complaint([&] { Solver solver(in_ell<float>(), {.mixed = true}); }),
            "mixed precision is for matrices of f64");
}

TEST(Operators, HaveASentenceForMoreThanAnIntegerCounts) {
  const std::int32_t row = 0;
  const double val = 1;
  const std::size_t many = std::size_t{1} << 31;

  EXPECT_EQ(complaint([&] {
              csr_matrix(CsrView{0, {&row, 1}, {&row, many}, {&val, many}}, Contents::Trust);
            }),
            "the matrix: 2147483648 entries; rows are counted by an i32, up to 2147483647");
  const auto n = static_cast<std::int64_t>(many);
  const std::string rows =
      "the matrix: 2147483648 rows; columns are numbered by an i32, up to 2147483647";
  EXPECT_EQ(complaint([&] {
              csr_matrix(CsrView{n, {&row, many + 1}, {}, {}}, Contents::Trust);
            }),
            rows);
  EXPECT_EQ(complaint([&] { ell_matrix(EllView{n, 1, {&row, many}, {&val, many}}); }), rows);
  EXPECT_EQ(complaint([&] { sell_matrix(SellView{n, 32, {}, {&row, many}, {}, {}, {}}); }), rows);
  EXPECT_EQ(complaint([&] { dense_matrix(DenseView{n, {&val, many * many}}); }), rows);
  EXPECT_EQ(complaint([&] {
              csr_matrix(CsrView{-1, {}, {}, {}});
            }),
            "the matrix: n = -1 is negative");
}

TEST(Operators, HaveTheBitsOfTheInterpreter) {
  const auto& held = holder<double>();
  support::OwnedArguments start;
  const Values b = random_values(static_cast<std::size_t>(held.csr.rows));
  start.with("b", b).with("x", Values(b.size())).with("rtol", ir::Value(1e-5));
  const auto run = [&](const std::shared_ptr<const Matrix>& matrix, support::OwnedArguments data) {
    for (const bool mixed : {false, true}) {
      const auto ran = executors::expect_as_interpreted(
          text::print(method_named("cg").make_program({.matrix = matrix, .mixed = mixed})), data);
      EXPECT_EQ(ran.outcome.status, ir::Status::Completed);
    }
  };
  const auto with_buffer = [&](const std::string& name, const auto& values,
                               std::vector<std::int64_t> extents, support::OwnedArguments data) {
    data.with(name, values);
    data.buffers.at(name).extents = std::move(extents);
    return data;
  };

  auto grid = start;
  grid.sizes = {{"ny", side}, {"nx", side}};
  run(in_stencil<double>(), with_buffer("val", held.constant, {5, 1}, grid));
  run(in_varying_stencil<double>(), with_buffer("val", held.varying, {5, held.csr.rows}, grid));
  auto rows = start;
  rows.sizes = {{"n", held.csr.rows}, {"width", held.ell.width}};
  run(in_ell<double>(),
      with_buffer("val", held.ell.val, {held.ell.width, held.csr.rows},
                  with_buffer("col", held.ell.col, {held.ell.width, held.csr.rows}, rows)));
  auto square = start;
  square.sizes = {{"n", held.csr.rows}};
  run(in_dense<double>(), with_buffer("val", held.dense, {held.csr.rows, held.csr.rows}, square));
}

}  // namespace
}  // namespace gyre::solvers
