/// Solves A x = b: a method's program, made once for a shape of matrix and run for each right-hand
/// side.
///
/// Not converging is a result. Leaves out the methods (methods.hpp lists them) and where they run:
/// a solver hands that on to the runtime and never asks.
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/csr_matrix.hpp"
#include "gyre/solvers/options.hpp"
#include "gyre/solvers/preconditioners.hpp"
#include "gyre/solvers/solve_result.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gyre::solvers {

struct Multigrid;

/// What is fixed when a solver is made.
struct SolverOptions {
  /// A name of methods().
  std::string method = "cg";
  Preconditioner preconditioner = Preconditioner::None;
  /// Of a matrix of f64: the method's own vectors are f32 and its products are made with entries
  /// rounded to f32, while b − A x, b and x are f64.
  bool mixed = false;
  /// Of gmres: after so many trips it starts again from x. It keeps as many vectors and one more.
  std::int64_t restart = 30;
  /// Of block_jacobi: the rows of a block.
  std::int64_t block_size = 4;
  /// Of the preconditioner chebyshev: the trips that it makes; each but the first takes a product.
  std::int64_t degree = 3;
  /// How many residual norms to keep of each solve: the last so many. 0 keeps none, at no cost.
  std::int64_t history = 0;
  /// Handed on to the runtime.
  CompileOptions compile = {};
};

/// Asked now and then while a solve runs, with its trips so far; false ends it as `cancelled`.
using Watch = std::function<bool(std::uint64_t trips)>;

/// A solve on a stream of the caller's.
class SolveLaunch {
 public:
  /// Waits for its end and tells how it came. It has no history and no seconds.
  SolveResult result();
  /// Whether `result` would return at once.
  bool ready() const { return launch_.ready(); }
  /// Ends it as `cancelled` before its next trip, from any thread.
  void cancel() { launch_.cancel(); }

 private:
  friend class Solver;
  explicit SolveLaunch(Launch launch) : launch_(std::move(launch)) {}

  Launch launch_;
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

  /// Takes another matrix of the same kind and sizes, without making the program anew. With amg its
  /// hierarchy is set up anew, and the program is made anew if that has another number of levels;
  /// new values in the arrays of the old matrix leave the hierarchy as it is.
  void set_matrix(std::shared_ptr<const Matrix> matrix);
  void set_matrix(const CsrView& matrix) { set_matrix(csr_matrix(matrix)); }
  void set_matrix(const CsrViewF32& matrix) { set_matrix(csr_matrix(matrix)); }

  /// Solves from the `x` given, and leaves there the last x that was reached: finite, unless the
  /// reason is diverged_nan. UsageError for sizes or types that do not fit, for b and x that
  /// overlap, or a bad option.
  SolveResult solve(std::span<const double> b, std::span<double> x,
                    const SolveOptions& options = {}, const Watch& watch = {}) {
    return solve_any(b, x, options, watch);
  }
  SolveResult solve(std::span<const float> b, std::span<float> x, const SolveOptions& options = {},
                    const Watch& watch = {}) {
    return solve_any(b, x, options, watch);
  }

  /// Puts a solve on the caller's stream, behind what is there, and returns at once where b, x and
  /// the matrix are device memory and no history is kept; otherwise it returns at its end. b and x
  /// belong to the solve until then. One at a time, unless the compile options say otherwise.
  SolveLaunch launch(std::span<const double> b, std::span<double> x, StreamRef stream,
                     const SolveOptions& options = {}) {
    return launch_any(b, x, stream, options);
  }
  SolveLaunch launch(std::span<const float> b, std::span<float> x, StreamRef stream,
                     const SolveOptions& options = {}) {
    return launch_any(b, x, stream, options);
  }

  /// The name of the executor that the runtime chose.
  std::string_view executor() const;

 private:
  template <class X>
  SolveResult solve_any(std::span<const X> b, std::span<X> x, const SolveOptions& options,
                        const Watch& watch);
  template <class X>
  SolveLaunch launch_any(std::span<const X> b, std::span<X> x, StreamRef stream,
                         const SolveOptions& options);
  template <class X>
  void bind(std::span<const X> b, std::span<X> x, const SolveOptions& options);
  void bind_matrix();
  void copy_history(SolveResult& result) const;

  SolverOptions options_;
  std::shared_ptr<const Matrix> matrix_;
  /// Of amg alone.
  std::shared_ptr<const Multigrid> multigrid_;
  /// Where the program keeps its last residuals, by trip modulo its length.
  std::vector<double> ring_;
  Executable executable_;
};

}  // namespace gyre::solvers
