/// Each system of a batch ends by itself, with the bits of a batch of it alone, on every executor.
#include "batches.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <algorithm>

namespace gyre::solvers {
namespace {

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

class BatchAsAlone : public BatchedOn {};

TEST_P(BatchAsAlone, EachOfOneToHundredsOfTripsHasTheBitsOfABatchOfItAlone) {
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

TEST_P(BatchAsAlone, EachHasTheBitsOfABatchOfItAloneInF32) {
  const auto systems = of_one_to_many_trips<float>();
  expect_each_as_alone(systems, by("cg", Preconditioner::Jacobi), {.rtol = 1e-4});
}

TEST_P(BatchAsAlone, NoBitDependsOnWhoRunsASystemOrHowMatricesLie) {
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

TEST_P(BatchAsAlone, EachResidualIsTheOneThatTheCallerFinds) {
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
TEST_P(BatchAsAlone, EveryReasonComesToItsSystemAlone) {
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

TEST_P(BatchAsAlone, TheReasonsOfTheRestComeToTheirSystemsToo) {
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

TEST_P(BatchAsAlone, EveryMethodAndPreconditionerThatIsTakenSolves) {
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

INSTANTIATE_TEST_SUITE_P(Executors, BatchAsAlone, testing::ValuesIn(executors_here()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace gyre::solvers
