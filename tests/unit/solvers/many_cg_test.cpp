/// Many right-hand sides of one matrix, each of which the whole device works on.
#include "gyre/solvers/many_cg.hpp"

#include "batches.hpp"
#include "gyre/solvers/solver.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>
#include <memory>

namespace gyre::solvers {
namespace {

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

class ManyCg : public BatchedOn {};

TEST_P(ManyCg, RightHandSidesOfALargeMatrixHaveTheBitsOfOneAlone) {
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

TEST_P(ManyCg, RightHandSidesOfALargeMatrixEndAsTheirSolverSays) {
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

TEST_P(ManyCg, TheDeviceRunsFewRowsAndMatricesThatAreNotDefiniteToo) {
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

INSTANTIATE_TEST_SUITE_P(Executors, ManyCg, testing::ValuesIn(executors_here()),
                         [](const auto& one) { return one.param; });

TEST(ManyCgProgram, HasTheBitsOfTheInterpreter) {
  const auto matrix = laplacian(6, 2.0);
  support::OwnedArguments given;
  given.sizes = {{"systems", 3}, {"n", 36}, {"nnz", matrix.entries()}};
  given.with("row", matrix.row).with("col", matrix.col).with("val", matrix.val);
  Values b = textbook::random_values(108);
  std::fill_n(b.begin() + 36, 36, 0.0);
  given.with("b", b).with("x", Values(108));
  for (const char* vector : {"b", "x"}) given.buffers.at(vector).extents = {3, 36};
  with_results(given, 3);

  for (const auto kind : {Preconditioner::None, Preconditioner::Jacobi, Preconditioner::Spai0}) {
    const auto program = make_many_cg({.matrix = csr_matrix(view(matrix)), .preconditioner = kind});
    const auto ran = executors::expect_as_interpreted(text::print(program), given);
    EXPECT_EQ(ran.outcome.status, ir::Status::Completed);
  }
}

}  // namespace
}  // namespace gyre::solvers
