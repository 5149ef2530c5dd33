#include "gyre/solvers/solver.hpp"

#include "gyre/base/error.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/smoothed_aggregation.hpp"
#include "multigrid_inverse.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace gyre::solvers {
namespace {

constexpr auto watch_interval = std::chrono::milliseconds(50);

SolverOptions checked(SolverOptions options) {
  if (options.history < 0) throw UsageError("history is negative");
  if (options.restart < 1) throw UsageError("restart must be at least 1");
  if (options.block_size < 1) throw UsageError("block_size must be at least 1");
  if (options.degree < 1) throw UsageError("degree must be at least 1");
  return options;
}

void check_options(const SolveOptions& options) {
  // Written so that a NaN is refused too.
  if (!(options.rtol >= 0)) throw UsageError("rtol must be a number from 0 on");
  if (!(options.atol >= 0)) throw UsageError("atol must be a number from 0 on");
  if (!(options.dtol >= 1)) throw UsageError("dtol must be a number from 1 on");
  if (!(options.relaxation > 0)) throw UsageError("relaxation must be a positive number");
  if (!(options.eigenvalue_min >= 0 && options.eigenvalue_max >= 0)) {
    throw UsageError("eigenvalue_min and eigenvalue_max must be numbers from 0 on");
  }
  if (options.eigenvalue_max > 0 && options.eigenvalue_min > options.eigenvalue_max) {
    throw UsageError("eigenvalue_min must not be above eigenvalue_max");
  }
  if (options.max_trips < 0) throw UsageError("max_trips must not be negative");
}

std::shared_ptr<const Multigrid> make_multigrid(const Matrix& matrix,
                                                const SolverOptions& options) {
  if (options.preconditioner != Preconditioner::Multigrid) return nullptr;
  return std::make_shared<const Multigrid>(aggregate(matrix.entries()));
}

ir::Program make_program(std::shared_ptr<const Matrix> matrix,
                         std::shared_ptr<const Multigrid> multigrid, const SolverOptions& options) {
  if (options.mixed && matrix->type() != ir::ScalarType::F64) {
    throw UsageError("mixed precision is for matrices of f64");
  }
  return method_named(options.method)
      .make_program({.matrix = std::move(matrix),
                     .preconditioner = options.preconditioner,
                     .mixed = options.mixed,
                     .restart = options.restart,
                     .block_size = options.block_size,
                     .degree = options.degree,
                     .multigrid = std::move(multigrid),
                     .keeps_history = options.history > 0});
}

Result run_watched(Executable& executable, const Watch& watch) {
  if (!watch) return executable.run();
  Launch launch = executable.launch();
  while (!launch.wait_for(watch_interval)) {
    if (!watch(launch.progress())) launch.cancel();
  }
  return launch.result();
}

Reason reason_of(const Result& result) {
  if (result.status() == ir::Status::Cancelled) return Reason::Cancelled;
  GYRE_CHECK(result.completed(), "a solver's program ended as " + result.describe());
  return static_cast<Reason>(result.get<std::int32_t>("reason"));
}

SolveResult read_result(const Result& run) {
  SolveResult result;
  result.reason = reason_of(run);
  result.iterations = run.get<std::int64_t>("trips");
  result.restarts = run.get<std::int64_t>("restarts");
  result.residual = run.get<double>("residual");
  result.relative_residual = run.get<double>("relative");
  result.recurrence_residual = run.get<double>("recurrence");
  if (result.reason == Reason::BreakdownNoDiagonal) {
    result.row = run.get<std::int64_t>("row_without_diagonal");
  }
  if (result.reason == Reason::Cancelled) {
    // The program did not get to compute it.
    result.residual = result.relative_residual = std::numeric_limits<double>::quiet_NaN();
  }
  result.host_syncs = run.host_syncs();
  return result;
}

}  // namespace

Solver::Solver(std::shared_ptr<const Matrix> matrix, const SolverOptions& options)
    : options_(checked(options)),
      matrix_(std::move(matrix)),
      multigrid_(make_multigrid(*matrix_, options)),
      ring_(static_cast<std::size_t>(options.history)),
      executable_(compile(make_program(matrix_, multigrid_, options), options.compile)) {
  bind_matrix();
}

void Solver::bind_matrix() {
  matrix_->bind(executable_);
  if (multigrid_) bind_multigrid(executable_, *multigrid_);
  if (options_.history > 0) executable_.bind("history", std::span(ring_));
}

void Solver::set_matrix(std::shared_ptr<const Matrix> matrix) {
  if (matrix->shape() != matrix_->shape()) {
    throw UsageError("the solver was made for " + matrix_->shape() + ", not for " +
                     matrix->shape());
  }
  const auto multigrid = make_multigrid(*matrix, options_);
  if (multigrid && !have_one_program(*multigrid, *multigrid_)) {
    executable_ = compile(make_program(matrix, multigrid, options_), options_.compile);
  }
  matrix_ = std::move(matrix);
  multigrid_ = multigrid;
  bind_matrix();
}

template <class X>
void Solver::bind(std::span<const X> b, std::span<X> x, const SolveOptions& options) {
  check_options(options);
  const auto n = static_cast<std::size_t>(matrix_->rows());
  if (b.size() != n || x.size() != n) {
    throw UsageError("b and x need n = " + std::to_string(n) + " elements, and have " +
                     std::to_string(b.size()) + " and " + std::to_string(x.size()));
  }
  executable_.bind("b", b);
  executable_.bind("x", x);
  executable_.set("rtol", options.rtol);
  executable_.set("atol", options.atol);
  executable_.set("dtol", options.dtol);
  executable_.set("max_trips", options.max_trips);
  executable_.set("relaxation", options.relaxation);
  executable_.set("eigenvalue_min", options.eigenvalue_min);
  executable_.set("eigenvalue_max", options.eigenvalue_max);
}

template <class X>
SolveResult Solver::solve_any(std::span<const X> b, std::span<X> x, const SolveOptions& options,
                              const Watch& watch) {
  bind(b, x, options);
  executable_.prepare();
  const auto start = std::chrono::steady_clock::now();
  const Result run = run_watched(executable_, watch);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  SolveResult result = read_result(run);
  result.seconds = elapsed.count();
  copy_history(result);
  return result;
}

template SolveResult Solver::solve_any(std::span<const double>, std::span<double>,
                                       const SolveOptions&, const Watch&);
template SolveResult Solver::solve_any(std::span<const float>, std::span<float>,
                                       const SolveOptions&, const Watch&);

template <class X>
SolveLaunch Solver::launch_any(std::span<const X> b, std::span<X> x, StreamRef stream,
                               const SolveOptions& options) {
  bind(b, x, options);
  return SolveLaunch(executable_.launch(stream));
}

template SolveLaunch Solver::launch_any(std::span<const double>, std::span<double>, StreamRef,
                                        const SolveOptions&);
template SolveLaunch Solver::launch_any(std::span<const float>, std::span<float>, StreamRef,
                                        const SolveOptions&);

SolveResult SolveLaunch::result() {
  return read_result(launch_.result());
}

void Solver::copy_history(SolveResult& result) const {
  if (ring_.empty()) return;
  const auto kept = static_cast<std::int64_t>(ring_.size());
  result.first_kept = std::max<std::int64_t>(0, result.iterations + 1 - kept);
  for (auto trip = result.first_kept; trip <= result.iterations; ++trip) {
    result.history.push_back(ring_[static_cast<std::size_t>(trip % kept)]);
  }
}

std::string_view Solver::executor() const {
  return executable_.executor();
}

}  // namespace gyre::solvers
