/// `gyre solve MATRIX.mtx`: solves a linear system, and says why it ended.
#include "command.hpp"
#include "gyre/base/error.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/io/file.hpp"
#include "gyre/io/matrix_market.hpp"
#include "gyre/solvers/advice.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/solver.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "solve_command.hpp"
#include "solve_many.hpp"
#include "solve_report.hpp"
#include "solve_system.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

namespace gyre::cli {
namespace {

// Rounding in whoever wrote the file makes a symmetric matrix this unsymmetric.
constexpr double symmetry_rtol = 1e-12;
// Of a longer solve the last residuals are kept.
constexpr std::int64_t most_history = 1'000'000;

using Values = std::vector<double>;

struct System {
  io::CsrMatrix matrix;
  std::vector<double> rhs;
  /// Where the right-hand side has several columns.
  io::DenseMatrix columns = {};
  bool is_symmetric = false;
};

System read_system(const SolveCommand& command) {
  System system{.matrix = io::read_matrix(command.matrix), .rhs = {}};
  const io::CsrMatrix& matrix = system.matrix;
  if (matrix.rows != matrix.cols) {
    throw UsageError(fmt::format("{}: {} rows and {} columns; a system to solve is square",
                                 command.matrix, matrix.rows, matrix.cols));
  }
  const auto n = static_cast<std::size_t>(matrix.rows);
  io::DenseMatrix rhs = command.rhs == "ones" ? io::DenseMatrix{matrix.rows, 1, Values(n, 1.0)}
                                              : io::read_dense(command.rhs);
  if (rhs.rows != matrix.rows) {
    throw UsageError(
        fmt::format("{}: {} values for the right-hand side of {} rows", command.rhs, rhs.rows, n));
  }
  (rhs.cols == 1 ? system.rhs : system.columns.val) = std::move(rhs.val);
  system.columns.rows = rhs.rows;
  system.columns.cols = rhs.cols;
  system.is_symmetric = io::is_symmetric(matrix, symmetry_rtol);
  return system;
}

solvers::SolverOptions solver_options(const SolveCommand& command, const solvers::Advice& advice,
                                      const std::string& executor) {
  solvers::SolverOptions options;
  options.method = advice.method;
  options.preconditioner = advice.preconditioner;
  options.restart = command.restart;
  options.block_size = command.block_size;
  options.degree = command.degree;
  if (!command.history.empty()) {
    options.history =
        std::min(most_history, std::max<std::int64_t>(0, command.options.max_trips)) + 1;
  }
  options.compile.executor = executor;
  return options;
}

// Where `--method auto` leaves the choice open.
solvers::Advice chosen_method(const SolveCommand& command, const System& system) {
  const io::CsrMatrix& matrix = system.matrix;
  if (command.method != "auto") {
    const bool is_open = command.preconditioner == "auto";
    return {command.method,
            is_open ? solvers::Preconditioner::None
                    : solvers::preconditioner_named(command.preconditioner),
            ""};
  }
  auto advice = solvers::advise(
      solvers::facts_of({matrix.rows, matrix.row, matrix.col, matrix.val}, system.is_symmetric));
  if (command.preconditioner != "auto") {
    advice.preconditioner = solvers::preconditioner_named(command.preconditioner);
  }
  return advice;
}

// Solves from x on the executor of that name, or to the cancelling that Ctrl-C asks for.
SolveReport solve_by(const solvers::Advice& advice, const std::string& executor,
                     const SolveCommand& command, const System& system, const Interrupt& interrupt,
                     std::vector<double>& x) {
  SystemSolver solver(system.matrix, system.rhs, command.storage,
                      solver_options(command, advice, executor));
  Progress progress;
  SolveReport report{.matrix = command.matrix,
                     .n = system.matrix.rows,
                     .entries = system.matrix.entries(),
                     .is_symmetric = system.is_symmetric,
                     .method = advice.method,
                     .why = advice.why,
                     .preconditioner = std::string(solvers::name_of(advice.preconditioner)),
                     .precision = command.storage.precision,
                     .executor = std::string(solver.executor()),
                     .result = {}};
  report.result = solver.solve(x, command.options, [&](std::int64_t trip, double) {
    progress.show(static_cast<std::uint64_t>(trip));
    return !interrupt.requested();
  });
  return report;
}

// The same from x = 0, and on with another method where that was chosen here and another one helps.
SolveReport solve_on(const std::string& executor, const SolveCommand& command, const System& system,
                     const Interrupt& interrupt, std::vector<double>& x) {
  x.assign(system.rhs.size(), 0.0);
  auto advice = chosen_method(command, system);
  SolveReport report = solve_by(advice, executor, command, system, interrupt, x);
  while (command.method == "auto") {
    const auto next = solvers::advise_after(advice, report.result.reason);
    if (!next) break;
    advice = *next;
    // What was reached may be no number.
    if (report.result.reason == solvers::Reason::NanOrInf) x.assign(x.size(), 0.0);
    report = solve_by(advice, executor, command, system, interrupt, x);
  }
  return report;
}

// What cannot be written is told before the solve, not after it.
void verify_outputs(const SolveCommand& command) {
  if (!command.output.empty()) io::verify_writable(command.output);
  if (!command.history.empty() && command.history != no_file) io::verify_writable(command.history);
}

std::vector<std::string> chosen_executors(const std::string& executor) {
  if (executor != "all") return {executor};
  std::vector<std::string> names;
  for (const auto& info : executors::available_executors()) {
    if (info.available) names.emplace_back(info.name);
  }
  return names;
}

void write_files(const SolveCommand& command, const std::vector<SolveReport>& reports,
                 const std::vector<double>& x) {
  if (!command.output.empty()) io::write_vector(command.output, x);
  if (command.history.empty()) return;
  const std::string history = print_history(reports.back().result);
  if (command.history != no_file) {
    io::write_file(command.history, history);
  } else if (!command.json) {
    fmt::print("\n{}", history);
  }
}

// Several right-hand sides, at once.
Exit solve_columns(const SolveCommand& command, const System& system) {
  const auto refuse = [&](bool is_asked, const std::string& what) {
    if (!is_asked) return;
    throw UsageError(fmt::format("{}: {} right-hand sides at once have no {}", command.rhs,
                                 system.columns.cols, what));
  };
  refuse(command.executor == "all", "--executor all");
  refuse(!command.history.empty(), "--history");
  refuse(command.storage.precision == "mixed", "--precision mixed");
  refuse(command.storage.format != "csr", "--format " + command.storage.format);
  return solve_many({.name = command.matrix,
                     .matrix = system.matrix,
                     .is_symmetric = system.is_symmetric,
                     .rhs = system.columns,
                     .advice = chosen_method(command, system),
                     .degree = command.degree,
                     .precision = command.storage.precision,
                     .executor = command.executor,
                     .options = command.options,
                     .output = command.output,
                     .json = command.json});
}

Exit solve(const SolveCommand& command) {
  verify_outputs(command);
  const System system = read_system(command);
  if (command.method != "auto" && !system.is_symmetric &&
      solvers::method_named(command.method).wants_symmetric) {
    fmt::print(stderr, "gyre: {} is not symmetric, and {} is for symmetric matrices\n",
               command.matrix, command.method);
  }
  if (system.columns.cols != 1) return solve_columns(command, system);
  const Interrupt interrupt;
  std::vector<double> x;
  std::vector<SolveReport> reports;
  const std::vector<std::string> executors = chosen_executors(command.executor);
  for (const std::string& executor : executors) {
    if (!reports.empty() && interrupt.requested()) break;
    reports.push_back(solve_on(executor, command, system, interrupt, x));
  }

  if (command.json) {
    fmt::print("{}\n", command.executor == "all" ? print_json(reports) : print_json(reports[0]));
  } else if (command.executor == "all") {
    fmt::print("{}", print_table(reports));
  } else {
    fmt::print("{}", print_report(reports[0]));
  }
  write_files(command, reports, x);

  const auto converged = std::count_if(
      reports.begin(), reports.end(),
      [](const SolveReport& report) { return solvers::is_converged(report.result.reason); });
  return static_cast<std::size_t>(converged) == executors.size() ? Exit::Done
                                                                 : Exit::GoalNotReached;
}

}  // namespace

void add_solve(CLI::App& app, Exit& exit) {
  const auto options = std::make_shared<SolveCommand>();
  auto* command = app.add_subcommand(
      "solve",
      "Solves A x = b for a matrix in a Matrix Market file.\n\n"
      "Examples:\n"
      "  gyre solve A.mtx --precond jacobi\n"
      "  gyre solve A.mtx --rhs b.mtx --rtol 1e-10 --output x.mtx\n"
      "  gyre solve A.mtx --executor all          a line for each executor of this machine\n"
      "  gyre solve A.mtx --json --history        the residual of each trip too\n\n"
      "It has converged when ||b - A x|| <= max(rtol ||b||, atol), computed from x. If it has "
      "not,\n"
      "it says why, and exits with 1; so it does after Ctrl-C.\n");
  add_options(*command, *options);
  command->callback([options, &exit] {
    options->options.rtol_of =
        options->rtol_of == "start" ? solvers::RtolOf::Start : solvers::RtolOf::Rhs;
    options->options.eigenvalue_min = options->eigenvalues[0];
    options->options.eigenvalue_max = options->eigenvalues[1];
    exit = solve(*options);
  });
}

}  // namespace gyre::cli
