/// Solves many systems A_s x_s = b_s at once: small ones each by a team of threads of its own, from
/// its start to its end; many right-hand sides of one large matrix by the whole device.
///
///     BatchedSolver solver(dense_batch(DenseBatch{systems, n, val}));
///     const BatchedResult result = solver.solve(b, x, {.rtol = 1e-8});
///
/// A system stops by itself, and what becomes of it does not depend on the others: it gets the
/// bits, the trips and the reason that a batch of it alone gets. Leaves out single
/// systems (solver.hpp).
#pragma once

#include "gyre/runtime/executable.hpp"
#include "gyre/solvers/batch_matrix.hpp"
#include "gyre/solvers/batched_result.hpp"
#include "gyre/solvers/options.hpp"
#include "gyre/solvers/preconditioners.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace gyre::solvers {

/// Who runs a system.
enum class RunBy : std::uint8_t {
  /// Who suits the systems that the solver is made for; the device where cg has a shared matrix of
  /// more than 4,096 rows, however many systems have it.
  Any,
  /// All of its trips one team of threads. Both give the same bits.
  Warp,
  Block,
  /// The whole device all systems together, trip by trip: many right-hand sides of one large
  /// matrix. Only cg, and without a preconditioner or with jacobi or spai0.
  Device,
};

/// What is fixed when a batched solver is made.
struct BatchedOptions {
  /// A name of methods(), but gmres and gauss_seidel.
  std::string method = "cg";
  /// One that is not set up on the host and has no blocks: none, jacobi, spai0 or chebyshev.
  Preconditioner preconditioner = Preconditioner::None;
  /// Of the preconditioner chebyshev: the trips that it makes; each but the first takes a product.
  std::int64_t degree = 3;
  RunBy run_by = RunBy::Any;
  /// Of solves that are told nothing else.
  SolveOptions defaults = {};
  /// Handed on to the runtime.
  CompileOptions compile = {};
};

/// A batch under way, and after; copies stand for the same one.
class BatchedLaunch {
 public:
  /// Waits for the end and tells how each system came to its own. May be asked again. What failed
  /// on the machine throws.
  const BatchedResult& result();
  /// Whether `result` would wait for nothing.
  bool ready() const;

 private:
  friend class BatchedSolver;
  struct State;
  explicit BatchedLaunch(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

/// A compiled method with the matrices it is bound to. One solve at a time.
class BatchedSolver {
 public:
  /// Makes the method's program for matrices of this shape. The arrays of `matrices` stay the
  /// caller's: they must outlive the solver, and new values in them are seen by the next solve.
  /// UsageError for matrices that are none, an unknown method, a bad option, a method or a
  /// preconditioner that cannot be batched.
  explicit BatchedSolver(std::shared_ptr<const BatchMatrix> matrices,
                         const BatchedOptions& options = {});

  /// Takes other matrices of the same kind and size, any number of them, without making the program
  /// anew.
  void set_matrices(std::shared_ptr<const BatchMatrix> matrices);

  /// Solves each system from its part of `x`, and leaves there the last x that was reached: finite,
  /// unless its reason is nan_or_inf. `b` and `x` hold one system's n elements behind the other's.
  /// UsageError for lengths or types that do not fit, for b and x that overlap, or a bad option; a
  /// batch knows no max_seconds.
  BatchedResult solve(std::span<const double> b, std::span<double> x, const SolveOptions& options);
  BatchedResult solve(std::span<const float> b, std::span<float> x, const SolveOptions& options);
  BatchedResult solve(std::span<const double> b, std::span<double> x) {
    return solve(b, x, options_.defaults);
  }
  BatchedResult solve(std::span<const float> b, std::span<float> x) {
    return solve(b, x, options_.defaults);
  }

  /// Puts a batch on the caller's stream, behind what is there, and returns at once where b, x and
  /// the matrices are device memory; otherwise it returns at its end. b and x belong to the solve
  /// until then.
  BatchedLaunch solve(std::span<const double> b, std::span<double> x, StreamRef stream,
                      const SolveOptions& options);
  BatchedLaunch solve(std::span<const float> b, std::span<float> x, StreamRef stream,
                      const SolveOptions& options);
  BatchedLaunch solve(std::span<const double> b, std::span<double> x, StreamRef stream) {
    return solve(b, x, stream, options_.defaults);
  }
  BatchedLaunch solve(std::span<const float> b, std::span<float> x, StreamRef stream) {
    return solve(b, x, stream, options_.defaults);
  }

  /// The name of the executor that the runtime chose.
  std::string_view executor() const;

 private:
  template <class X>
  BatchedResult run(std::span<const X> b, std::span<X> x, const SolveOptions& options);
  template <class X>
  BatchedLaunch launch(std::span<const X> b, std::span<X> x, StreamRef stream,
                       const SolveOptions& options);
  template <class X>
  void bind(std::span<const X> b, std::span<X> x, const SolveOptions& options);
  void bind_matrices();
  void settle_last();

  BatchedOptions options_;
  std::shared_ptr<const BatchMatrix> matrices_;
  /// Shared with launches, which may outlive the solver.
  std::shared_ptr<Executable> executable_;
  std::optional<BatchedLaunch> last_;
};

}  // namespace gyre::solvers
