#include "gyre/solvers/solver.hpp"

#include "given_matrix.hpp"
#include "gyre/base/error.hpp"
#include "gyre/solvers/methods.hpp"
#include "host_setup.hpp"
#include "set_options.hpp"
#include "solve_state.hpp"

#include <chrono>
#include <cmath>
#include <utility>

namespace gyre::solvers {
namespace {

SolverOptions checked(SolverOptions options) {
  if (options.history < 0) throw UsageError("history is negative");
  verify_count("restart", options.restart, most_restart);
  verify_count("block_size", options.block_size, most_block_size);
  verify_count("degree", options.degree, most_degree);
  if (options.history > 0 && options.compile.overlap == Overlap::Queue) {
    throw UsageError("a history is of one solve at a time, and Overlap::Queue lets more wait");
  }
  verify_options(options.defaults);
  return options;
}

std::shared_ptr<const HostSetup> set_up(const Matrix& matrix, const SolverOptions& options) {
  return std::make_shared<const HostSetup>(set_up(matrix, options.method, options.preconditioner));
}

ir::Program make_program(std::shared_ptr<const Matrix> matrix, const HostSetup& setup,
                         const SolverOptions& options) {
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
                     .multigrid = setup.multigrid,
                     .colours = setup.colours,
                     .keeps_history = options.history > 0});
}

}  // namespace

Solver::Solver(std::shared_ptr<const Matrix> matrix, const SolverOptions& options)
    : options_(checked(options)),
      matrix_(given(std::move(matrix))),
      setup_(set_up(*matrix_, options)),
      executable_(std::make_shared<Executable>(
          compile(make_program(matrix_, *setup_, options), options.compile))) {
  bind_matrix();
}

Solver::Solver(std::string method, std::shared_ptr<const Matrix> matrix, SolverOptions options)
    : Solver(std::move(matrix), (options.method = std::move(method), options)) {}

void Solver::bind_matrix() {
  matrix_->bind(*executable_);
  solvers::bind(*executable_, *setup_);
  if (options_.history > 0) executable_->keep("history", {options_.history, 2});
}

void Solver::set_matrix(std::shared_ptr<const Matrix> matrix) {
  if (given(matrix)->shape() != matrix_->shape()) {
    throw UsageError("the solver was made for " + matrix_->shape() + ", not for " +
                     matrix->shape());
  }
  const auto setup = set_up(*matrix, options_);
  settle_last();
  if (!have_one_program(*setup, *setup_)) {
    executable_ = std::make_shared<Executable>(
        compile(make_program(matrix, *setup, options_), options_.compile));
  }
  matrix_ = std::move(matrix);
  // A solve that is not over yet may still read what it was bound to.
  const auto until_bound = std::exchange(setup_, setup);
  bind_matrix();
}

// Waits for what the last solve keeps and reads it, before it is written over. A failure is told to
// who asks for its result.
void Solver::settle_last() {
  if (options_.history == 0 || !last_) return;
  try {
    last_->result();
  } catch (const std::exception&) {
    return;
  }
}

template <class X>
void Solver::bind(std::span<const X> b, std::span<X> x, const SolveOptions& options) {
  const auto n = static_cast<std::size_t>(matrix_->rows());
  if (b.size() != n || x.size() != n) {
    throw UsageError("b and x need n = " + std::to_string(n) + " elements, and have " +
                     std::to_string(b.size()) + " and " + std::to_string(x.size()));
  }
  executable_->bind("b", b);
  executable_->bind("x", x);
  set_options(*executable_, options);
}

template <class X>
SolveResult Solver::run(std::span<const X> b, std::span<X> x, const SolveOptions& options,
                        const Monitor& monitor) {
  settle_last();
  bind(b, x, options);
  executable_->prepare();
  const auto start = std::chrono::steady_clock::now();
  SolveResult result;
  if (monitor || std::isfinite(options.max_seconds)) {
    SolveLaunch launch(std::make_shared<SolveLaunch::State>(
        setup_, executable_, executable_->launch(), options_.history, options.max_seconds));
    result = launch.result(monitor);
  } else {
    result = read_result(executable_->run(), ResidualRing(executable_, options_.history));
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  result.seconds = elapsed.count();
  last_ = SolveLaunch(std::make_shared<SolveLaunch::State>(result));
  return result;
}

SolveResult Solver::solve(std::span<const double> b, std::span<double> x,
                          const SolveOptions& options, const Monitor& monitor) {
  return run(b, x, options, monitor);
}

SolveResult Solver::solve(std::span<const float> b, std::span<float> x, const SolveOptions& options,
                          const Monitor& monitor) {
  return run(b, x, options, monitor);
}

template <class X>
SolveLaunch Solver::launch(std::span<const X> b, std::span<X> x, StreamRef stream,
                           const SolveOptions& options) {
  // With a history, one that still runs makes the launch a UsageError.
  if (last_ && last_->ready()) settle_last();
  bind(b, x, options);
  SolveLaunch launch(std::make_shared<SolveLaunch::State>(
      setup_, executable_, executable_->launch(stream), options_.history, options.max_seconds));
  last_ = launch;
  return launch;
}

SolveLaunch Solver::solve(std::span<const double> b, std::span<double> x, StreamRef stream,
                          const SolveOptions& options) {
  return launch(b, x, stream, options);
}

SolveLaunch Solver::solve(std::span<const float> b, std::span<float> x, StreamRef stream,
                          const SolveOptions& options) {
  return launch(b, x, stream, options);
}

const SolveResult& Solver::result(const Monitor& monitor) {
  if (!last_) throw UsageError("a solver that has solved nothing has no result");
  return last_->result(monitor);
}

std::string_view Solver::executor() const {
  return executable_->executor();
}

}  // namespace gyre::solvers
