/// Solves A x = b: a method's program, made once for a shape of matrix and run for each right-hand
/// side.
///
///     Solver solver("cg", csr_matrix({n, row, col, val}), {.defaults = {.rtol = 1e-10}});
///     solver.solve(b, x, stream);                 // returns at once
///     if (!is_converged(solver.result().reason)) …
///
/// Not converging is a result. Leaves out the methods (methods.hpp lists them) and where they run:
/// a solver hands that on to the runtime and never asks.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/csr_matrix.hpp"
#include "gyre/solvers/options.hpp"
#include "gyre/solvers/preconditioners.hpp"
#include "gyre/solvers/solve_launch.hpp"
#include "gyre/solvers/solve_result.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace gyre::solvers {

struct HostSetup;

/// What is fixed when a solver is made.
struct SolverOptions {
  /// A name of methods().
  std::string method = "cg";
  Preconditioner preconditioner = Preconditioner::None;
  /// Of a matrix of f64: the method's own vectors are f32 and its products are made with entries
  /// rounded to f32, while b − A x, b and x are f64.
  bool mixed = false;
  /// Of gmres: after so many trips it starts again from x. It keeps as many vectors.
  std::int64_t restart = 30;
  /// Of block_jacobi: the rows of a block.
  std::int64_t block_size = 4;
  /// Of the preconditioner chebyshev: the trips that it makes; each but the first takes a product.
  std::int64_t degree = 3;
  /// How many residual norms to keep of each solve, where it runs: the last so many. 0 keeps none,
  /// at no cost.
  std::int64_t history = 0;
  /// Of solves that are told nothing else.
  SolveOptions defaults = {};
  /// Handed on to the runtime.
  CompileOptions compile = {};
};

/// A compiled method with the matrix it is bound to. One solve at a time.
class Solver {
 public:
  /// Makes the method's program for matrices of this shape. The arrays of `matrix` stay the
  /// caller's: they must outlive the solver, and new values in them are seen by the next solve.
  /// UsageError for a matrix that is none, an unknown method, a bad option.
  Solver(std::shared_ptr<const Matrix> matrix, const SolverOptions& options = {});
  Solver(const CsrView& matrix, const SolverOptions& options = {})
      : Solver(csr_matrix(matrix), options) {}
  Solver(const CsrViewF32& matrix, const SolverOptions& options = {})
      : Solver(csr_matrix(matrix), options) {}
  /// The same with the method by itself; that of the options is not looked at.
  Solver(std::string method, std::shared_ptr<const Matrix> matrix, SolverOptions options = {});

  /// Takes another matrix of the same kind and sizes, without making the program anew. What is set
  /// up on the host (amg's hierarchy, the order of rows of ilu0, ic0, ssor and gauss_seidel) is set
  /// up anew, and the program is made anew if that has another number of levels or colours. New
  /// values in the arrays of the old matrix leave a hierarchy as it is.
  void set_matrix(std::shared_ptr<const Matrix> matrix);
  void set_matrix(const CsrView& matrix) { set_matrix(csr_matrix(matrix)); }
  void set_matrix(const CsrViewF32& matrix) { set_matrix(csr_matrix(matrix)); }

  /// Solves from the `x` given, and leaves there the last x that was reached: finite, unless the
  /// reason is nan_or_inf. UsageError for sizes or types that do not fit, for b and x that overlap,
  /// or a bad option.
  SolveResult solve(std::span<const double> b, std::span<double> x, const SolveOptions& options,
                    const Monitor& monitor = {});
  SolveResult solve(std::span<const float> b, std::span<float> x, const SolveOptions& options,
                    const Monitor& monitor = {});
  SolveResult solve(std::span<const double> b, std::span<double> x) {
    return solve(b, x, options_.defaults);
  }
  SolveResult solve(std::span<const float> b, std::span<float> x) {
    return solve(b, x, options_.defaults);
  }

  /// Puts a solve on the caller's stream, behind what is there, and returns at once where b, x and
  /// the matrix are device memory; otherwise it returns at its end. b and x belong to the solve
  /// until then. One at a time: where compile.overlap is Queue more may wait, without a history.
  SolveLaunch solve(std::span<const double> b, std::span<double> x, StreamRef stream,
                    const SolveOptions& options);
  SolveLaunch solve(std::span<const float> b, std::span<float> x, StreamRef stream,
                    const SolveOptions& options);
  SolveLaunch solve(std::span<const double> b, std::span<double> x, StreamRef stream) {
    return solve(b, x, stream, options_.defaults);
  }
  SolveLaunch solve(std::span<const float> b, std::span<float> x, StreamRef stream) {
    return solve(b, x, stream, options_.defaults);
  }

  /// How the last solve ended; waits for it where it still runs. UsageError where there was none.
  const SolveResult& result(const Monitor& monitor = {});

  /// The name of the executor that the runtime chose.
  std::string_view executor() const;

 private:
  template <class X>
  SolveResult run(std::span<const X> b, std::span<X> x, const SolveOptions& options,
                  const Monitor& monitor);
  template <class X>
  SolveLaunch launch(std::span<const X> b, std::span<X> x, StreamRef stream,
                     const SolveOptions& options);
  template <class X>
  void bind(std::span<const X> b, std::span<X> x, const SolveOptions& options);
  void bind_matrix();
  void settle_last();

  SolverOptions options_;
  std::shared_ptr<const Matrix> matrix_;
  /// What the method and the preconditioner have set up on the host.
  std::shared_ptr<const HostSetup> setup_;
  /// Shared with solves, which may outlive the solver.
  std::shared_ptr<Executable> executable_;
  std::optional<SolveLaunch> last_;
};

}  // namespace gyre::solvers
