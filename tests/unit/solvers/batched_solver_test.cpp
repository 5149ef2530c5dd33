/// Many systems at once: each ends by itself, as it would alone, on every executor.
#include "gyre/solvers/batched_solver.hpp"

#include "batches.hpp"
#include "gyre/base/error.hpp"
#include "gyre/solvers/many_cg.hpp"
#include "gyre/solvers/matrix_free.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/solver.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <limits>

namespace gyre::solvers {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Values all_entries(const io::CsrMatrix& matrix) {
  Values val(static_cast<std::size_t>(matrix.rows * matrix.rows));
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    for (auto k = matrix.row[static_cast<std::size_t>(i)];
         k < matrix.row[static_cast<std::size_t>(i + 1)]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      val[static_cast<std::size_t>(i * matrix.rows + matrix.col[at])] = matrix.val[at];
    }
  }
  return val;
}

// 2 + shift on the diagonal and -1 beside it, each row and column scaled by up to `contrast`.
Values chain(std::int64_t n, double shift, double contrast) {
  Values val(static_cast<std::size_t>(n * n));
  const auto scale = [&](std::int64_t i) {
    return std::exp2(std::log2(contrast) * static_cast<double>(i * 37 % n) /
                     static_cast<double>(n));
  };
  for (std::int64_t i = 0; i < n; ++i) {
    for (const std::int64_t j : {i - 1, i, i + 1}) {
      if (j < 0 || j >= n) continue;
      val[static_cast<std::size_t>(i * n + j)] = (i == j ? 2 + shift : -1) * scale(i) * scale(j);
    }
  }
  return val;
}

// From a multiple of the identity, which takes one trip, to systems that take hundreds; 70 rows are
// no whole number of warps.
template <class X>
Systems<X> of_one_to_many_trips() {
  Systems<X> systems{.n = 70};
  Values identity(70 * 70);
  for (std::size_t i = 0; i < 70; ++i) identity[i * 71] = 3;
  systems.add(identity, textbook::random_values(70));
  for (const double contrast : {1.0, 2.0, 8.0, 50.0, 400.0}) {
    for (const double shift : {4.0, 0.5, 0.0}) {
      systems.add(chain(70, shift, contrast), textbook::random_values(70));
    }
  }
  return systems;
}

struct Way {
  std::string method;
  Preconditioner preconditioner;
};

template <class X>
void expect_each_as_alone(const Systems<X>& systems, const BatchedOptions& options,
                          const SolveOptions& told) {
  BatchedSolver dense(dense_batch(systems.dense()), options);
  const Pattern<X> pattern(systems);
  BatchedSolver sparse(csr_batch(pattern.csr(systems)), options);
  const auto all = solve(dense, systems, told);
  const auto all_sparse = solve(sparse, systems, told);

  for (std::int64_t s = 0; s < systems.count(); ++s) {
    SCOPED_TRACE("system " + std::to_string(s));
    const Systems<X> one = systems.only(s);
    dense.set_matrices(dense_batch(one.dense()));
    expect_as_alone(all, s, solve(dense, one, told));
    const std::vector<X> val(pattern.val.begin() + s * std::ssize(pattern.col),
                             pattern.val.begin() + (s + 1) * std::ssize(pattern.col));
    sparse.set_matrices(csr_batch(BasicCsrBatch<X>{1, one.n, pattern.row, pattern.col, val}));
    expect_as_alone(all_sparse, s, solve(sparse, one, told));
  }
}

class BatchedOn : public testing::TestWithParam<std::string> {
 protected:
  static BatchedOptions by(const std::string& method,
                           Preconditioner preconditioner = Preconditioner::None) {
    BatchedOptions options{.method = method, .preconditioner = preconditioner};
    options.compile.executor = GetParam();
    return options;
  }

  static BatchSolved<double> run(const Systems<double>& systems, const BatchedOptions& options,
                                 const SolveOptions& told = {}) {
    BatchedSolver solver(dense_batch(systems.dense()), options);
    return solve(solver, systems, told);
  }
};

TEST_P(BatchedOn, EachOfOneToHundredsOfTripsHasTheBitsOfABatchOfItAlone) {
  const auto systems = of_one_to_many_trips<double>();
  for (const std::string method : {"cg", "bicgstab"}) {
    for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi}) {
      SCOPED_TRACE(method + " with " + std::string(name_of(preconditioner)));
      expect_each_as_alone(systems, by(method, preconditioner), {.rtol = 1e-9, .max_trips = 600});
    }
  }

  const auto solved = run(systems, by("cg"), {.rtol = 1e-9});
  const auto& trips = solved.result.iterations;
  EXPECT_EQ(*std::min_element(trips.begin(), trips.end()), 1);
  EXPECT_GE(*std::max_element(trips.begin(), trips.end()), 500);
  EXPECT_TRUE(solved.result.all_converged()) << describe(solved.result);
}

TEST_P(BatchedOn, EachHasTheBitsOfABatchOfItAloneInF32) {
  const auto systems = of_one_to_many_trips<float>();
  expect_each_as_alone(systems, by("cg", Preconditioner::Jacobi), {.rtol = 1e-4});
}

TEST_P(BatchedOn, NoBitDependsOnWhoRunsASystemOrHowMatricesLie) {
  const auto systems = of_one_to_many_trips<double>();
  auto by_blocks = by("cg");
  by_blocks.run_by = RunBy::Block;
  BatchedSolver columns(dense_batch(systems.dense(Layout::Columns)), by("cg"));

  const auto warps = run(systems, by("cg"));
  const auto blocks = run(systems, by_blocks);
  const auto by_columns = solve(columns, systems);

  EXPECT_EQ(bits_of(warps.x), bits_of(blocks.x));
  EXPECT_EQ(warps.result.iterations, blocks.result.iterations);
  EXPECT_EQ(bits_of(warps.x), bits_of(by_columns.x));
}

TEST_P(BatchedOn, EachResidualIsTheOneThatTheCallerFinds) {
  const auto systems = of_one_to_many_trips<double>();

  const auto solved = run(systems, by("cg"), {.rtol = 1e-6});

  for (std::int64_t s = 0; s < systems.count(); ++s) {
    const Systems<double> one = systems.only(s);
    Values r = one.b;
    const Values x = solved.x_of(s);
    for (std::size_t i = 0; i < 70; ++i) {
      for (std::size_t j = 0; j < 70; ++j) r[i] -= one.val[i * 70 + j] * x[j];
    }
    const double residual = solved.result.residuals[static_cast<std::size_t>(s)];
    EXPECT_NEAR(norm(r), residual, 1e-3 * residual + 1e-14 * norm(one.b));
    EXPECT_LE(solved.result.relative_residuals[static_cast<std::size_t>(s)], 1e-6);
  }
}

// Each with the other systems beside it, which it must not disturb.
TEST_P(BatchedOn, EveryReasonComesToItsSystemAlone) {
  Systems<double> systems{.n = 4};
  const Values definite = {4, 1, 0, 0, 1, 3, 0, 0, 0, 0, 2, -1, 0, 0, -1, 2};
  systems.add(definite, {1, 2, 3, 4});
  systems.add(definite, {0, 0, 0, 0}, {5, 5, 5, 5});
  systems.add({2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 8, 0, 0, 0, 0, 1}, {2, 8, 24, 5}, {1, 2, 3, 5});
  systems.add({1, 0, 0, 0, 0, -3, 0, 0, 0, 0, 2, 0, 0, 0, 0, -5}, {1, 1, 1, 1});
  systems.add({4, 1, 0, 0, 1, nan, 0, 0, 0, 0, 2, -1, 0, 0, -1, 2}, {1, 2, 3, 4});
  systems.add(definite, {1, 2, nan, 4});
  systems.add(definite, {1e-9, 1e-9, 0, 0});
  systems.add(definite, {4, 3, 2, 1});

  const auto solved = run(systems, by("cg"), {.rtol = 1e-12, .atol = 1e-8});

  EXPECT_EQ(solved.result.reasons,
            (std::vector{Reason::ConvergedRtol, Reason::ConvergedRtol, Reason::ConvergedRtol,
                         Reason::Indefinite, Reason::NanOrInf, Reason::NanOrInf,
                         Reason::ConvergedAtol, Reason::ConvergedRtol}));
  EXPECT_EQ(solved.x_of(1), Values(4, 0.0));
  EXPECT_EQ(solved.x_of(2), (Values{1, 2, 3, 5}));
  for (const std::int64_t untouched : {1, 2, 4, 5, 6})
    EXPECT_EQ(solved.result.of(untouched).iterations, 0);
  EXPECT_EQ(solved.result.converged(), 5);
  expect_each_as_alone(systems, by("cg"), {.rtol = 1e-12, .atol = 1e-8});
}

TEST_P(BatchedOn, TheReasonsOfTheRestComeToTheirSystemsToo) {
  Systems<double> rows{.n = 3};
  rows.add({1, 1, 0, 1, 0, 0, 0, 0, 1}, {1, 1, 1});
  rows.add({2, 0, 0, 0, 2, 0, 0, 0, 2}, {2, 4, 6});
  const auto no_diagonal = run(rows, by("cg", Preconditioner::Jacobi));
  EXPECT_EQ(no_diagonal.result.reasons, (std::vector{Reason::NoDiagonal, Reason::ConvergedRtol}));
  EXPECT_EQ(no_diagonal.result.rows, (std::vector<std::int64_t>{1, -1}));

  Systems<double> skew{.n = 2};
  skew.add({0, 1, -1, 0}, {1, 0});
  skew.add({2, 0, 0, 2}, {2, 4});
  EXPECT_EQ(run(skew, by("bicgstab")).result.reasons,
            (std::vector{Reason::Breakdown, Reason::ConvergedRtol}));

  Systems<double> grid{.n = 36};
  grid.add(all_entries(laplacian(6)), textbook::random_values(36));
  grid.add(chain(36, 0, 1), Values(36, 0.0));
  EXPECT_EQ(run(grid, by("cg"), {.rtol = 1e-18}).result.reasons,
            (std::vector{Reason::Stagnated, Reason::ConvergedRtol}));
  EXPECT_EQ(run(grid, by("cg"), {.max_trips = 3}).result.reasons,
            (std::vector{Reason::MaxTrips, Reason::ConvergedRtol}));
  EXPECT_EQ(run(grid, by("cg"), {.max_trips = 3}).result.iterations,
            (std::vector<std::int64_t>{3, 0}));

  Systems<double> growing{.n = 2};
  growing.add({30, 0, 0, 1}, {1, 1});
  growing.add({1, 0, 0, 1}, {1, 1});
  EXPECT_EQ(run(growing, by("richardson"), {.dtol = 100}).result.reasons,
            (std::vector{Reason::Dtol, Reason::ConvergedRtol}));
}

TEST_P(BatchedOn, OneRowAndNoRowsAndNoSystems) {
  Systems<double> single{.n = 1};
  single.add({3}, {6});
  single.add({0.5}, {1});
  const auto solved = run(single, by("cg"));
  EXPECT_EQ(solved.x, (Values{2, 2}));
  EXPECT_EQ(solved.result.iterations, (std::vector<std::int64_t>{1, 1}));

  BatchedSolver empty(dense_batch(DenseBatch{.systems = 2, .n = 0, .val = {}}), by("cg"));
  Values nothing;
  EXPECT_EQ(empty.solve(Values{}, nothing).reasons, std::vector(2, Reason::ConvergedRtol));

  empty.set_matrices(dense_batch(DenseBatch{.systems = 0, .n = 0, .val = {}}));
  EXPECT_TRUE(empty.solve(Values{}, nothing).all_converged());
}

TEST_P(BatchedOn, EveryMethodAndPreconditionerThatIsTakenSolves) {
  Systems<double> systems{.n = 25};
  for (const double factor : {2.0, 1.25}) {
    Values val = all_entries(laplacian(5));
    for (std::size_t i = 0; i < 25; ++i) val[i * 26] *= factor;
    for (double& one : val) one /= 8;
    systems.add(val, textbook::random_values(25));
  }
  for (const std::string method :
       {"cg", "chronopoulos_gear", "minres", "bicgstab", "chebyshev", "richardson", "jacobi"}) {
    for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi,
                                      Preconditioner::Spai0, Preconditioner::Chebyshev}) {
      if (method == "jacobi" && preconditioner != Preconditioner::None) continue;
      SCOPED_TRACE(method + " with " + std::string(name_of(preconditioner)));
      const auto options = by(method, preconditioner);
      EXPECT_TRUE(run(systems, options).result.all_converged());
      expect_each_as_alone(systems, options, {.rtol = 1e-6});
    }
  }
}

TEST_P(BatchedOn, ManyRightHandSidesOfOneMatrix) {
  const auto matrix = laplacian(7, 3.0);
  const auto csr = csr_matrix(view(matrix));
  Values b;
  for (int k = 1; k <= 3; ++k) {
    for (const double one : textbook::random_values(49)) b.push_back(k * one * one);
  }
  BatchedSolver solver(shared_batch(csr, 3), by("cg"));
  Values x(b.size());

  const auto result = solver.solve(b, x);

  EXPECT_TRUE(result.all_converged());
  for (std::ptrdiff_t k = 0; k < 3; ++k) {
    const Values rhs(b.begin() + 49 * k, b.begin() + 49 * (k + 1));
    EXPECT_LE(relative_residual(matrix, rhs, {x.begin() + 49 * k, x.begin() + 49 * (k + 1)}),
              1.001e-8);
  }
}

// Random, ones, nothing, an exact start, a NaN, and one far below the others.
struct Many {
  io::CsrMatrix matrix = laplacian(68, 3.0);
  std::size_t n = 68 * 68;
  Values b;
  Values x = Values(6 * n);

  Many() {
    const Values random = textbook::random_values(n);
    for (const double one : random) b.push_back(one);
    b.resize(2 * n, 1.0);
    b.resize(3 * n, 0.0);
    const Values product = io::multiply(matrix, random);
    b.insert(b.end(), product.begin(), product.end());
    b.resize(5 * n, 2.0);
    b[4 * n + 3000] = nan;
    for (const double one : random) b.push_back(1e-200 * one * one);
    std::fill_n(x.begin() + static_cast<std::ptrdiff_t>(2 * n), n, 5.0);
    std::copy(random.begin(), random.end(), x.begin() + static_cast<std::ptrdiff_t>(3 * n));
  }
  std::shared_ptr<const Matrix> csr() const { return csr_matrix(view(matrix)); }
  Values part(const Values& all, std::size_t k) const {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(k * n);
    return {first, first + static_cast<std::ptrdiff_t>(n)};
  }
};

TEST_P(BatchedOn, RightHandSidesOfALargeMatrixHaveTheBitsOfOneAlone) {
  const Many many;
  for (const auto kind : {Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Spai0}) {
    SCOPED_TRACE(name_of(kind));
    BatchedSolver solver(shared_batch(many.csr(), 6), by("cg", kind));
    BatchSolved<double> all{{}, many.x};
    all.result = solver.solve(many.b, all.x);

    EXPECT_EQ(all.result.reasons,
              (std::vector{Reason::ConvergedRtol, Reason::ConvergedRtol, Reason::ConvergedRtol,
                           Reason::ConvergedRtol, Reason::NanOrInf, Reason::ConvergedRtol}));
    EXPECT_EQ(all.x_of(2), Values(many.n, 0.0));
    EXPECT_EQ(all.x_of(3), many.part(many.x, 3));
    for (const std::int64_t k : {2, 3, 4}) EXPECT_EQ(all.result.of(k).iterations, 0);
    solver.set_matrices(shared_batch(many.csr(), 1));
    for (std::size_t k = 0; k < 6; ++k) {
      SCOPED_TRACE(k);
      BatchSolved<double> alone{{}, many.part(many.x, k)};
      alone.result = solver.solve(many.part(many.b, k), alone.x);
      expect_as_alone(all, static_cast<std::int64_t>(k), alone);
    }
  }
}

TEST_P(BatchedOn, RightHandSidesOfALargeMatrixEndAsTheirSolverSays) {
  const Many many;
  BatchedSolver solver(shared_batch(many.csr(), 6), by("cg", Preconditioner::Jacobi));
  BatchSolved<double> all{{}, many.x};
  all.result = solver.solve(many.b, all.x);
  for (const std::size_t k : {0, 1, 5}) {
    SCOPED_TRACE(k);
    Values x(many.n);
    Solver single(many.csr(), {.preconditioner = Preconditioner::Jacobi});
    const auto told = single.solve(many.part(many.b, k), x);
    const auto here = all.result.of(static_cast<std::int64_t>(k));
    EXPECT_NEAR(static_cast<double>(here.iterations), static_cast<double>(told.iterations), 2);
    EXPECT_NEAR(here.start_residual / told.start_residual, 1, 1e-12);
    if (k == 5) continue;  // too small for the squares that the test itself computes
    EXPECT_LE(relative_residual(many.matrix, many.part(many.b, k),
                                all.x_of(static_cast<std::int64_t>(k))),
              1.001e-8);
  }

  auto x = many.x;
  const auto cut = solver.solve(many.b, x, {.max_trips = 3});
  EXPECT_EQ(cut.of(0).reason, Reason::MaxTrips);
  EXPECT_EQ(cut.of(0).iterations, 3);
  EXPECT_EQ(cut.of(2).reason, Reason::ConvergedRtol);
  x = many.x;
  EXPECT_EQ(solver.solve(many.b, x, {.rtol = 1e-18}).of(1).reason, Reason::Stagnated);
  x = many.x;
  EXPECT_EQ(solver.solve(many.b, x, {.atol = 1}).of(5).reason, Reason::ConvergedAtol);
}

TEST_P(BatchedOn, TheDeviceRunsFewRowsAndMatricesThatAreNotDefiniteToo) {
  auto options = by("cg");
  options.run_by = RunBy::Device;
  const auto indefinite = diagonal({1, -3, 2, -5});
  BatchedSolver solver(shared_batch(csr_matrix(view(indefinite)), 2), options);
  Values x(8);
  const auto result = solver.solve(Values{1, 1, 1, 1, 0, 0, 0, 0}, x);
  EXPECT_EQ(result.reasons, (std::vector{Reason::Indefinite, Reason::ConvergedRtol}));

  const auto hole = dense({{1, 1}, {1, 0}});
  options.preconditioner = Preconditioner::Jacobi;
  BatchedSolver jacobi(shared_batch(csr_matrix(view(hole)), 2), options);
  Values y(4);
  const auto told = jacobi.solve(Values{1, 1, 0, 0}, y);
  EXPECT_EQ(told.reasons, (std::vector{Reason::NoDiagonal, Reason::ConvergedRtol}));
  EXPECT_EQ(told.rows, (std::vector<std::int64_t>{1, -1}));

  const std::vector<std::int32_t> row = {0, 1, 2};
  const std::vector<std::int32_t> col = {0, 1};
  const std::vector<float> in_f32 = {2, 4};
  BatchedSolver low(shared_batch(csr_matrix(CsrViewF32{2, row, col, in_f32}), 1), options);
  std::vector<float> z(2);
  EXPECT_TRUE(low.solve(std::vector<float>{2, 8}, z, {.rtol = 1e-6}).all_converged());
  EXPECT_EQ(z, (std::vector<float>{1, 2}));
}

INSTANTIATE_TEST_SUITE_P(Executors, BatchedOn, testing::ValuesIn(executors_here()),
                         [](const auto& one) { return one.param; });

TEST(BatchedSolver, SaysWhatItCannotTake) {
  Systems<double> systems{.n = 2};
  systems.add({2, 0, 0, 2}, {1, 1});
  const auto batch = dense_batch(systems.dense());
  for (const char* method : {"gmres", "gauss_seidel", "no such method"}) {
    EXPECT_THROW(BatchedSolver(batch, {.method = method}), UsageError) << method;
  }
  for (const auto kind : {Preconditioner::BlockJacobi, Preconditioner::Multigrid,
                          Preconditioner::Ilu0, Preconditioner::Ic0, Preconditioner::Ssor}) {
    EXPECT_THROW(BatchedSolver(batch, {.preconditioner = kind}), UsageError) << name_of(kind);
  }
  EXPECT_THROW(dense_batch(DenseBatch{.systems = 2, .n = 2, .val = systems.val}), UsageError);
  // Their number of values is 2^64 and 2^66, of which 64 bits would leave 0.
  EXPECT_THROW(dense_batch(DenseBatch{.systems = 1, .n = std::int64_t{1} << 32, .val = {}}),
               UsageError);
  EXPECT_THROW(dense_batch(DenseBatch{.systems = std::int64_t{1} << 62, .n = 4, .val = {}}),
               UsageError);

  EXPECT_THROW(BatchedSolver(batch, {.run_by = RunBy::Device}), UsageError);
  try {
    BatchedSolver(batch, {.preconditioner = Preconditioner::Ic0});
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "the preconditioner ic0 cannot be batched: take none, jacobi, spai0, chebyshev, or "
        "a Solver for each system");
  }

  BatchedSolver solver(batch);
  Values x(2);
  EXPECT_THROW(solver.solve(Values(3), x), UsageError);
  EXPECT_THROW(solver.solve(Values(2), x, {.rtol = nan}), UsageError);
  EXPECT_THROW(solver.solve(Values(2), x, {.max_seconds = 1}), UsageError);
  EXPECT_THROW(solver.solve(x, x), UsageError);
  std::vector<float> in_f32(2);
  EXPECT_THROW(solver.solve(std::vector<float>(2), in_f32), UsageError);
  EXPECT_THROW(solver.set_matrices(dense_batch(DenseBatch{.systems = 0, .n = 3, .val = {}})),
               UsageError);
  const std::vector<std::int32_t> row = {0, 1, 3};
  const std::vector<std::int32_t> col = {0, 2};
  EXPECT_THROW(csr_batch(CsrBatch{1, 2, row, col, Values(2)}), UsageError);
}

// Whoever runs many rows known by their products alone, it is not the device.
TEST(BatchedSolver, TakesManyRowsThatAreKnownByTheirProducts) {
  constexpr std::int64_t n = 5000;
  const auto declare = [](builder::Program& p, const Index& rows) {
    return [&p, rows](const Vector<double>& v, const Vector<double>& q) {
      p.foreach(0, rows, [&](const Index& i) { q[i] = 2.0 * v[i]; });
    };
  };
  const auto batch = shared_batch(matrix_free<double>({.n = n, .declare = declare}), 3);
  BatchedSolver solver(batch);
  Values x(3 * n);

  const auto result = solver.solve(Values(3 * n, 1.0), x);

  EXPECT_TRUE(result.all_converged());
  EXPECT_EQ(x, Values(3 * n, 0.5));
  EXPECT_THROW(BatchedSolver(batch, {.run_by = RunBy::Device}), UsageError);
}

TEST(BatchedSolver, DescribesHowManyConvergedAndWhyTheFirstDidNot) {
  Systems<double> systems{.n = 2};
  systems.add({2, 0, 0, 2}, {1, 1});
  systems.add({2, 0, 0, -2}, {1, 1});
  BatchedSolver solver(dense_batch(systems.dense()));

  const auto text = describe(solve(solver, systems).result);

  EXPECT_NE(text.find("1 of 2 systems converged"), std::string::npos) << text;
  EXPECT_NE(text.find("system 2"), std::string::npos) << text;
}

TEST(BatchedPrograms, HaveTheBitsOfTheInterpreter) {
  Systems<double> systems{.n = 9};
  systems.add(all_entries(laplacian(3)), textbook::random_values(9));
  systems.add(chain(9, 0.5, 30), textbook::random_values(9));
  systems.add(chain(9, -1, 1), textbook::random_values(9));
  support::OwnedArguments given;
  given.sizes = {{"systems", 3}, {"n", 9}};
  given.with("val", systems.val).with("b", systems.b).with("x", systems.x);
  given.buffers.at("val").extents = {3, 9, 9};
  for (const char* vector : {"b", "x"}) given.buffers.at(vector).extents = {3, 9};
  for (const char* name : {"residual_of", "relative_of", "start_residual_of", "recurrence_of"})
    given.with(name, Values(3));
  for (const char* name : {"trips_of", "restarts_of", "unusable_row_of"}) {
    given.with(name, std::vector<std::int64_t>(3));
  }
  given.with("reason_of", std::vector<std::int32_t>(3))
      .with("max_trips", ir::Value(std::int64_t{30}));

  for (const char* method : {"cg", "bicgstab", "minres"}) {
    for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi}) {
      const auto program = method_named(method).make_program(
          {.preconditioner = preconditioner, .batch = dense_batch(systems.dense())});
      const auto ran = executors::expect_as_interpreted(text::print(program), given);
      EXPECT_EQ(ran.outcome.status, ir::Status::Completed);
    }
  }
}

TEST(BatchedPrograms, OfManyRightHandSidesHaveTheBitsOfTheInterpreter) {
  const auto matrix = laplacian(6, 2.0);
  support::OwnedArguments given;
  given.sizes = {{"systems", 3}, {"n", 36}, {"nnz", matrix.entries()}};
  given.with("row", matrix.row).with("col", matrix.col).with("val", matrix.val);
  Values b = textbook::random_values(108);
  std::fill_n(b.begin() + 36, 36, 0.0);
  given.with("b", b).with("x", Values(108));
  for (const char* vector : {"b", "x"}) given.buffers.at(vector).extents = {3, 36};
  for (const char* name : {"residual_of", "relative_of", "start_residual_of", "recurrence_of"}) {
    given.with(name, Values(3));
  }
  for (const char* name : {"trips_of", "restarts_of", "unusable_row_of"}) {
    given.with(name, std::vector<std::int64_t>(3));
  }
  given.with("reason_of", std::vector<std::int32_t>(3));

  for (const auto kind : {Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Spai0}) {
    const auto program = make_many_cg({.matrix = csr_matrix(view(matrix)), .preconditioner = kind});
    const auto ran = executors::expect_as_interpreted(text::print(program), given);
    EXPECT_EQ(ran.outcome.status, ir::Status::Completed);
  }
}

}  // namespace
}  // namespace gyre::solvers
