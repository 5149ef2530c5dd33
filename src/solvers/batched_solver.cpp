#include "gyre/solvers/batched_solver.hpp"

#include "given_matrix.hpp"
#include "gyre/base/error.hpp"
#include "gyre/solvers/many_cg.hpp"
#include "gyre/solvers/methods.hpp"
#include "set_options.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <utility>
#include <vector>

namespace gyre::solvers {
namespace {

// From so many rows on all blocks of a device have something to do for a right-hand side.
constexpr std::int64_t rows_of_a_device = 4096;

constexpr std::array inverses_of_many = {Preconditioner::None, Preconditioner::Jacobi,
                                         Preconditioner::Spai0};

template <class List, class One>
bool has(const List& list, const One& one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

bool is_for_the_device(const BatchMatrix& matrices, const BatchedOptions& options) {
  return matrices.shared() && matrices.shared()->has_rows() && options.method == "cg" &&
         has(inverses_of_many, options.preconditioner);
}

// A warp meets for nothing and a block at a price, which its threads pay back from about 256 rows
// on; sooner where there are too few systems for all warps (docs/performance.md). The device adds
// up in another shape, so that it must not depend on how many systems there are.
RunBy who_runs(const BatchMatrix& matrices, const BatchedOptions& options) {
  if (options.run_by != RunBy::Any) return options.run_by;
  if (is_for_the_device(matrices, options) && matrices.rows() > rows_of_a_device) {
    return RunBy::Device;
  }
  const bool is_large = matrices.rows() > 256;
  const bool is_rare = matrices.rows() > 128 && matrices.systems() < 1024;
  return is_large || is_rare ? RunBy::Block : RunBy::Warp;
}

// Those that ask for nothing but vectors, sweeps and folds of the system.
constexpr std::array methods_of_batches = {"cg",        "chronopoulos_gear", "minres", "bicgstab",
                                           "chebyshev", "richardson",        "jacobi"};
constexpr std::array inverses_of_batches = {Preconditioner::None, Preconditioner::Jacobi,
                                            Preconditioner::Spai0, Preconditioner::Chebyshev};

[[noreturn]] void refuse(const std::string& what, const std::string& taken) {
  throw UsageError(what + " cannot be batched: take " + taken + ", or a Solver for each system");
}

BatchedOptions checked(BatchedOptions options) {
  if (!has(methods_of_batches, method_named(options.method).name)) {
    std::string taken;
    for (const std::string name : methods_of_batches) taken += (taken.empty() ? "" : ", ") + name;
    refuse("the method " + options.method, taken);
  }
  if (!has(inverses_of_batches, options.preconditioner)) {
    std::string taken;
    for (const auto kind : inverses_of_batches) {
      taken += (taken.empty() ? "" : ", ") + std::string(name_of(kind));
    }
    refuse("the preconditioner " + std::string(name_of(options.preconditioner)), taken);
  }
  verify_count("degree", options.degree, most_degree);
  if (options.compile.overlap == Overlap::Queue) {
    throw UsageError(
        "a batch's outcome is of one solve at a time, and Overlap::Queue lets more wait");
  }
  verify_options(options.defaults);
  return options;
}

ir::Program make_program(const std::shared_ptr<const BatchMatrix>& matrices,
                         const BatchedOptions& options) {
  const RunBy run_by = who_runs(*matrices, options);
  if (run_by == RunBy::Device) {
    if (!is_for_the_device(*matrices, options)) {
      throw UsageError(
          "the whole device runs cg of one matrix with rows for all systems, without a "
          "preconditioner or with jacobi or spai0: leave run_by out, or choose a warp or a block");
    }
    return make_many_cg({.matrix = matrices->shared(), .preconditioner = options.preconditioner});
  }
  return method_named(options.method)
      .make_program({.preconditioner = options.preconditioner,
                     .degree = options.degree,
                     .batch = matrices,
                     .team = run_by == RunBy::Block ? ir::Team::Block : ir::Team::Warp});
}

template <class V>
std::vector<V> peeked(Executable& executable, const char* name, std::size_t count) {
  std::vector<V> values(count);
  executable.peek(name, 0, values);
  return values;
}

// What the program has left where it ran.
BatchedResult read_outcome(Executable& executable, const Result& run, std::size_t systems) {
  GYRE_CHECK(run.completed(), "a batch's program ended as " + run.describe());
  BatchedResult result;
  for (const auto reason : peeked<std::int32_t>(executable, "reason_of", systems)) {
    result.reasons.push_back(static_cast<Reason>(reason));
  }
  result.iterations = peeked<std::int64_t>(executable, "trips_of", systems);
  result.restarts = peeked<std::int64_t>(executable, "restarts_of", systems);
  result.residuals = peeked<double>(executable, "residual_of", systems);
  result.relative_residuals = peeked<double>(executable, "relative_of", systems);
  result.start_residuals = peeked<double>(executable, "start_residual_of", systems);
  result.recurrence_residuals = peeked<double>(executable, "recurrence_of", systems);
  result.rows = peeked<std::int64_t>(executable, "unusable_row_of", systems);
  for (std::size_t s = 0; s < systems; ++s) {
    if (result.reasons[s] != Reason::NoDiagonal) result.rows[s] = -1;
  }
  result.host_syncs = run.host_syncs();
  return result;
}

}  // namespace

struct BatchedLaunch::State {
  std::shared_ptr<Executable> executable;
  Launch launch;
  std::size_t systems;
  std::optional<BatchedResult> result = {};
};

const BatchedResult& BatchedLaunch::result() {
  if (!state_->result) {
    state_->result = read_outcome(*state_->executable, state_->launch.result(), state_->systems);
  }
  return *state_->result;
}

bool BatchedLaunch::ready() const {
  return state_->result || state_->launch.ready();
}

BatchedSolver::BatchedSolver(std::shared_ptr<const BatchMatrix> matrices,
                             const BatchedOptions& options)
    : options_(checked(options)),
      matrices_(given(std::move(matrices))),
      executable_(std::make_shared<Executable>(
          compile(make_program(matrices_, options), options.compile))) {
  bind_matrices();
}

void BatchedSolver::bind_matrices() {
  executable_->set_size("systems", matrices_->systems());
  matrices_->bind(*executable_);
  for (const char* name : {"reason_of", "trips_of", "restarts_of", "residual_of", "relative_of",
                           "start_residual_of", "recurrence_of", "unusable_row_of"}) {
    executable_->keep(name, {matrices_->systems()});
  }
}

void BatchedSolver::set_matrices(std::shared_ptr<const BatchMatrix> matrices) {
  if (given(matrices)->shape() != matrices_->shape() || matrices->type() != matrices_->type()) {
    throw UsageError("the solver was made for " + matrices_->shape() + ", not for " +
                     matrices->shape());
  }
  settle_last();
  matrices_ = std::move(matrices);
  bind_matrices();
}

// Waits for what the last batch leaves and reads it, before it is written over. A failure is told
// by that launch.
void BatchedSolver::settle_last() {
  if (!last_) return;
  try {
    last_->result();
  } catch (const std::exception&) {
    last_.reset();
  }
}

template <class X>
void BatchedSolver::bind(std::span<const X> b, std::span<X> x, const SolveOptions& options) {
  const std::int64_t systems = matrices_->systems();
  const std::int64_t n = matrices_->rows();
  std::int64_t elements = 0;
  const bool is_counted = !__builtin_mul_overflow(systems, n, &elements);
  if (!is_counted || std::ssize(b) != elements || std::ssize(x) != elements) {
    throw UsageError("b and x need " + std::to_string(n) + " elements for each of " +
                     std::to_string(systems) + " systems, and have " + std::to_string(b.size()) +
                     " and " + std::to_string(x.size()));
  }
  if (std::isfinite(options.max_seconds)) {
    throw UsageError("a batch ends by itself: max_seconds cannot end it");
  }
  executable_->bind("b", b, {systems, n});
  executable_->bind("x", x, {systems, n});
  set_options(*executable_, options);
}

template <class X>
BatchedResult BatchedSolver::run(std::span<const X> b, std::span<X> x,
                                 const SolveOptions& options) {
  settle_last();
  bind(b, x, options);
  executable_->prepare();
  const auto start = std::chrono::steady_clock::now();
  const Result ran = executable_->run();
  auto result = read_outcome(*executable_, ran, static_cast<std::size_t>(matrices_->systems()));
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  result.seconds = elapsed.count();
  last_.reset();
  return result;
}

template <class X>
BatchedLaunch BatchedSolver::launch(std::span<const X> b, std::span<X> x, StreamRef stream,
                                    const SolveOptions& options) {
  // One that still runs makes the launch a UsageError.
  if (last_ && last_->ready()) settle_last();
  bind(b, x, options);
  last_ = BatchedLaunch(std::make_shared<BatchedLaunch::State>(BatchedLaunch::State{
      executable_, executable_->launch(stream), static_cast<std::size_t>(matrices_->systems())}));
  return *last_;
}

BatchedResult BatchedSolver::solve(std::span<const double> b, std::span<double> x,
                                   const SolveOptions& options) {
  return run(b, x, options);
}

BatchedResult BatchedSolver::solve(std::span<const float> b, std::span<float> x,
                                   const SolveOptions& options) {
  return run(b, x, options);
}

BatchedLaunch BatchedSolver::solve(std::span<const double> b, std::span<double> x, StreamRef stream,
                                   const SolveOptions& options) {
  return launch(b, x, stream, options);
}

BatchedLaunch BatchedSolver::solve(std::span<const float> b, std::span<float> x, StreamRef stream,
                                   const SolveOptions& options) {
  return launch(b, x, stream, options);
}

std::string_view BatchedSolver::executor() const {
  return executable_->executor();
}

}  // namespace gyre::solvers
