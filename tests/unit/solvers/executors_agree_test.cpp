/// The program of every method means the same to the interpreter and to the cpu executor.
#include "gyre/solvers/methods.hpp"
#include "gyre/text/printer.hpp"
#include "support/cpu_run.hpp"
#include "systems.hpp"
#include "textbook.hpp"

#include <string>

#include <gtest/gtest.h>

namespace gyre::solvers {
namespace {

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
  system.with("history", Values(50));
  system.with("rtol", ir::Value(1e-5)).with("max_trips", ir::Value(std::int64_t{40}));
  return system;
}

TEST(SolversPrograms, HaveTheBitsOfTheInterpreter) {
  const auto matrix = laplacian(6, 2.0);
  const std::vector<float> val(matrix.val.begin(), matrix.val.end());
  const auto in_f32 = csr_matrix(CsrViewF32{matrix.rows, matrix.row, matrix.col, val});
  for (const Method& method : methods()) {
    for (const PreconditionerInfo& preconditioner : preconditioners()) {
      if (method.name == "jacobi" && preconditioner.kind != Preconditioner::None) continue;
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

}  // namespace
}  // namespace gyre::solvers
