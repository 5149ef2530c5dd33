/// The program of every method means the same to the interpreter and to the cpu executor.
#include "gyre/solvers/cg.hpp"
#include "gyre/solvers/incomplete_factors.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/smoothed_aggregation.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

void add_schedule(support::OwnedArguments& system, const std::string& name,
                  const LevelSchedule& schedule) {
  system.sizes[name + "_chunks"] = schedule.chunks();
  system.sizes[name + "_width"] = schedule.width;
  system.with(name + "_begin", schedule.begin).with(name + "_order", schedule.order);
}

void add_triangle(support::OwnedArguments& system, const std::string& name,
                  const UnitTriangle& triangle) {
  add_schedule(system, name, triangle.schedule);
  system.sizes[name + "_entries"] = std::ssize(triangle.col);
  system.with(name + "_start", triangle.start).with(name + "_col", triangle.col);
  system.with(name + "_from", triangle.from);
}

// What incomplete factors and colours are bound to; the pattern is symmetric.
void add_setup(support::OwnedArguments& system, const io::CsrMatrix& matrix) {
  const SparseMatrix entries = csr_matrix(view(matrix))->entries();
  const IncompleteFactors factors = lay_out_factors(entries, FactorPattern::General);
  add_schedule(system, "colour", schedule_by_colours(entries));
  add_triangle(system, "lower", factors.lower);
  add_triangle(system, "upper", factors.upper);
  system.sizes["factor_entries"] = std::ssize(factors.col);
  system.with("factor_row", factors.row).with("factor_col", factors.col);
  system.with("factor_diagonal", factors.diagonal);
  system.with("lower_place", factors.lower_place).with("upper_place", factors.upper_place);
  system.with("factor_without_diagonal", ir::Value(factors.row_without_diagonal));
}

template <class X>
support::OwnedArguments system_of(const io::CsrMatrix& matrix) {
  const Values b = textbook::random_values(static_cast<std::size_t>(matrix.rows));
  const auto as_x = [](const Values& values) {
    return std::vector<X>(values.begin(), values.end());
  };
  support::OwnedArguments system;
  system.sizes = {{"n", matrix.rows}, {"nnz", matrix.entries()}, {"kept", 50}};
  system.with("row", matrix.row).with("col", matrix.col).with("val", as_x(matrix.val));
  system.with("b", as_x(b)).with("x", std::vector<X>(b.size()));
  system.with("history", Values(100));
  system.buffers.at("history").extents = {50, 2};
  system.with("rtol", ir::Value(1e-5)).with("max_trips", ir::Value(std::int64_t{40}));
  add_setup(system, matrix);
  return system;
}

TEST(SolversPrograms, HaveTheBitsOfTheInterpreter) {
  const auto matrix = laplacian(6, 2.0);
  const std::vector<float> val(matrix.val.begin(), matrix.val.end());
  const auto in_f32 = csr_matrix(CsrViewF32{matrix.rows, matrix.row, matrix.col, val});
  for (const Method& method : methods()) {
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      if (!method.takes_preconditioner && preconditioner.kind != Preconditioner::None) continue;
      if (preconditioner.kind == Preconditioner::Multigrid) continue;
      SCOPED_TRACE(std::string(method.name) + " with " + std::string(preconditioner.name));
      Variant variant{.preconditioner = preconditioner.kind, .restart = 4, .keeps_history = true};
      const auto ran = executors::expect_as_interpreted(text::print(method.make_program(variant)),
                                                        system_of<double>(matrix));
      EXPECT_EQ(ran.outcome.status, ir::Status::Completed);

      variant.mixed = true;
      executors::expect_as_interpreted(text::print(method.make_program(variant)),
                                       system_of<double>(matrix));
      variant.mixed = false;
      variant.matrix = in_f32;
      executors::expect_as_interpreted(text::print(method.make_program(variant)),
                                       system_of<float>(matrix));
    }
  }
}

// Checked runs find a row of a level, or of a colour, that touches what another one writes.
TEST(SolversPrograms, ByLevelsAndColoursBreakNoPromise) {
  auto system = system_of<double>(laplacian(6, 2.0));
  system.with("max_trips", ir::Value(std::int64_t{3}));
  const std::vector<ir::Program> programs = {make_cg({.preconditioner = Preconditioner::Ilu0}),
                                             make_cg({.preconditioner = Preconditioner::Ssor}),
                                             method_named("gauss_seidel").make_program({})};
  for (const ir::Program& program : programs) {
    const auto ran =
        executors::expect_as_interpreted(text::print(program), system, {.checked = true});

    EXPECT_EQ(ran.outcome.status, ir::Status::Completed) << program.name;
  }
}

TEST(SolversPrograms, WithALevelThatNeedsItselfBreakOne) {
  auto system = system_of<double>(laplacian(6, 2.0));
  system.sizes["lower_chunks"] = 2;
  system.sizes["lower_width"] = 35;
  system.with("lower_begin", std::vector<std::int32_t>{1, 36, 36});

  const auto ran = executors::expect_as_interpreted(
      text::print(make_cg({.preconditioner = Preconditioner::Ilu0})), system, {.checked = true});

  EXPECT_EQ(ran.outcome.status, ir::Status::Fault);
}

support::OwnedArguments& with_sparse(support::OwnedArguments& system, const std::string& name,
                                     const SparseMatrix& a) {
  system.sizes[name + "_nnz"] = a.entries();
  return system.with(name + "_row", a.row).with(name + "_col", a.col).with(name + "_val", a.val);
}

TEST(SolversPrograms, WithMultigridHaveTheBitsOfTheInterpreter) {
  const auto matrix = laplacian(8);
  const auto in_f64 = csr_matrix(CsrView{matrix.rows, matrix.row, matrix.col, matrix.val});
  const auto grid =
      std::make_shared<const Multigrid>(aggregate(in_f64->entries(), {.coarsest_rows = 20}));
  ASSERT_EQ(grid->levels.size(), 2U);
  auto system = system_of<double>(matrix);
  system.sizes["mg1_n"] = grid->levels[1].a.rows;
  for (const std::size_t level : {0, 1}) {
    const std::string name = "mg" + std::to_string(level) + "_";
    system.with(name + "inverse_diagonal", grid->levels[level].inverse_diagonal);
    system.with(name + "weight", ir::Value(grid->levels[level].weight));
  }
  with_sparse(system, "mg0_p", grid->levels[0].prolongation);
  with_sparse(system, "mg0_r", grid->levels[0].restriction);
  with_sparse(system, "mg1_a", grid->levels[1].a);
  const auto last = grid->levels[1].a.rows;
  system.with("mg_inverse", grid->coarsest_inverse);
  system.buffers.at("mg_inverse").extents = {last, last};

  for (const bool mixed : {false, true}) {
    const Variant variant{.preconditioner = Preconditioner::Multigrid,
                          .mixed = mixed,
                          .multigrid = grid,
                          .keeps_history = true};
    const auto ran = executors::expect_as_interpreted(text::print(make_cg(variant)), system);
    EXPECT_EQ(ran.outcome.status, ir::Status::Completed);
  }
}

}  // namespace
}  // namespace gyre::solvers
