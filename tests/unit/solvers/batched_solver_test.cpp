/// What a solver of many systems takes, refuses and says; that each ends as it would alone is held
/// by batch_as_alone_test.cpp.
#include "gyre/solvers/batched_solver.hpp"

#include "batches.hpp"
#include "gyre/base/error.hpp"
#include "gyre/solvers/matrix_free.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "systems.hpp"
#include "textbook.hpp"

namespace gyre::solvers {
namespace {

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

INSTANTIATE_TEST_SUITE_P(Executors, BatchedOn, testing::ValuesIn(executors_here()),
                         [](const auto& one) { return one.param; });

Systems<double> one_diagonal() {
  Systems<double> systems{.n = 2};
  systems.add({2, 0, 0, 2}, {1, 1});
  return systems;
}

TEST(BatchedSolver, RefusesWhatCannotBeBatched) {
  const auto systems = one_diagonal();
  const auto batch = dense_batch(systems.dense());
  for (const char* method : {"gmres", "gauss_seidel", "no such method"}) {
    EXPECT_THROW(BatchedSolver(batch, {.method = method}), UsageError) << method;
  }
  for (const auto kind : {Preconditioner::BlockJacobi, Preconditioner::Multigrid,
                          Preconditioner::Ilu0, Preconditioner::Ic0, Preconditioner::Ssor}) {
    EXPECT_THROW(BatchedSolver(batch, {.preconditioner = kind}), UsageError) << name_of(kind);
  }
  EXPECT_THROW(BatchedSolver(batch, {.run_by = RunBy::Device}), UsageError);

  try {
    BatchedSolver(batch, {.preconditioner = Preconditioner::Ic0});
    FAIL() << "it was taken";
  } catch (const UsageError& error) {
    EXPECT_STREQ(
        error.what(),
        "the preconditioner ic0 cannot be batched: take none, jacobi, spai0, chebyshev, or "
        "a Solver for each system");
  }
}

TEST(BatchedSolver, RefusesArraysThatAreNoBatch) {
  const auto systems = one_diagonal();
  EXPECT_THROW(dense_batch(DenseBatch{.systems = 2, .n = 2, .val = systems.val}), UsageError);
  // Their number of values is 2^64 and 2^66, of which 64 bits would leave 0.
  EXPECT_THROW(dense_batch(DenseBatch{.systems = 1, .n = std::int64_t{1} << 32, .val = {}}),
               UsageError);
  EXPECT_THROW(dense_batch(DenseBatch{.systems = std::int64_t{1} << 62, .n = 4, .val = {}}),
               UsageError);
  const std::vector<std::int32_t> row = {0, 1, 3};
  const std::vector<std::int32_t> col = {0, 2};
  EXPECT_THROW(csr_batch(CsrBatch{1, 2, row, col, Values(2)}), UsageError);
}

TEST(BatchedSolver, RefusesASolveThatDoesNotFitItsMatrices) {
  const auto systems = one_diagonal();
  BatchedSolver solver(dense_batch(systems.dense()));
  Values x(2);

  EXPECT_THROW(solver.solve(Values(3), x), UsageError);
  EXPECT_THROW(solver.solve(Values(2), x, {.rtol = nan}), UsageError);
  EXPECT_THROW(solver.solve(Values(2), x, {.max_seconds = 1}), UsageError);
  EXPECT_THROW(solver.solve(x, x), UsageError);
  std::vector<float> in_f32(2);
  EXPECT_THROW(solver.solve(std::vector<float>(2), in_f32), UsageError);
  EXPECT_THROW(solver.set_matrices(dense_batch(DenseBatch{.systems = 0, .n = 3, .val = {}})),
               UsageError);
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
  auto systems = one_diagonal();
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
  with_results(given, 3).with("max_trips", ir::Value(std::int64_t{30}));

  for (const char* method : {"cg", "bicgstab", "minres"}) {
    for (const auto preconditioner : {Preconditioner::None, Preconditioner::Jacobi}) {
      const auto program = method_named(method).make_program(
          {.preconditioner = preconditioner, .batch = dense_batch(systems.dense())});
      const auto ran = executors::expect_as_interpreted(text::print(program), given);
      EXPECT_EQ(ran.outcome.status, ir::Status::Completed);
    }
  }
}

}  // namespace
}  // namespace gyre::solvers
