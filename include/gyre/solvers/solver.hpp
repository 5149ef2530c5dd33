/// Solves A x = b: a method's program, made once for a shape of matrix and run for each right-hand
/// side.
///
/// Not converging is a result. Leaves out the methods (methods.hpp lists them) and where they run:
/// a solver hands that on to the runtime and never asks.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/csr_view.hpp"
#include "gyre/solvers/options.hpp"
#include "gyre/solvers/solve_result.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gyre::solvers {

/// What is fixed when a solver is made.
struct SolverOptions {
  /// A name of methods().
  std::string method = "cg";
  Preconditioner preconditioner = Preconditioner::None;
  /// How many residual norms to keep of each solve: the last so many. 0 keeps none, at no cost.
  std::int64_t history = 0;
  /// Handed on to the runtime.
  CompileOptions compile = {};
};

/// Asked now and then while a solve runs, with its trips so far; false ends it as `cancelled`.
using Watch = std::function<bool(std::uint64_t trips)>;

/// A compiled method with the matrix it is bound to. One solve at a time.
class Solver {
 public:
  /// Makes the method's program for matrices of this shape. The arrays of `matrix` stay the
  /// caller's: they must outlive the solver, and new values in them are seen by the next solve.
  /// UsageError for a matrix that is none (csr_view.hpp), an unknown method, a bad option.
  Solver(const CsrView& matrix, const SolverOptions& options = {});

  /// Takes another matrix with as many rows and entries, without making the program anew.
  void set_matrix(const CsrView& matrix);

  /// Solves from the `x` given, and leaves there the last x that was reached: finite, unless the
  /// reason is diverged_nan. UsageError for sizes that do not fit, for b and x that overlap, or a
  /// bad option.
  SolveResult solve(std::span<const double> b, std::span<double> x,
                    const SolveOptions& options = {}, const Watch& watch = {});

  /// The name of the executor that the runtime chose.
  std::string_view executor() const;

 private:
  void bind_matrix(const CsrView& matrix);
  void copy_history(SolveResult& result) const;

  SolverOptions options_;
  CsrView matrix_;
  /// Where the program keeps its last residuals, by trip modulo its length.
  std::vector<double> ring_;
  Executable executable_;
};

}  // namespace gyre::solvers
