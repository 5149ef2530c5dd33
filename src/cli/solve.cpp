/// `gyre solve MATRIX.mtx`: solves a linear system, and says why it ended.
#include "command.hpp"
#include "gyre/base/error.hpp"
#include "gyre/executors/make_executor.hpp"
#include "gyre/io/file.hpp"
#include "gyre/io/matrix_market.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/solver.hpp"
#include "interrupt.hpp"
#include "progress.hpp"
#include "solve_report.hpp"

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
// What CLI11 gives for a flag without `=FILE`.
constexpr auto no_file = "true";

struct SolveCommand {
  std::string matrix;
  std::string method = "cg";
  std::string preconditioner = "none";
  std::string precision = "f64";
  std::int64_t restart = solvers::SolverOptions{}.restart;
  std::vector<double> eigenvalues = {0, 0};
  std::string rhs = "ones";
  std::string executor = "auto";
  std::string output;
  std::string history;
  solvers::SolveOptions options;
  bool json = false;
};

struct System {
  io::CsrMatrix matrix;
  std::vector<double> rhs;
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
  system.rhs = command.rhs == "ones" ? std::vector<double>(n, 1.0) : io::read_vector(command.rhs);
  if (system.rhs.size() != n) {
    throw UsageError(fmt::format("{}: {} values for the right-hand side of {} rows", command.rhs,
                                 system.rhs.size(), n));
  }
  system.is_symmetric = io::is_symmetric(matrix, symmetry_rtol);
  return system;
}

solvers::SolverOptions solver_options(const SolveCommand& command, const std::string& executor) {
  solvers::SolverOptions options;
  options.method = command.method;
  options.preconditioner = solvers::preconditioner_named(command.preconditioner);
  options.mixed = command.precision == "mixed";
  options.restart = command.restart;
  if (!command.history.empty()) {
    options.history =
        std::min(most_history, std::max<std::int64_t>(0, command.options.max_trips)) + 1;
  }
  options.compile.executor = executor;
  return options;
}

// A solver of the system in the precision of the command, and its x as f64.
class PreciseSolver {
 public:
  PreciseSolver(const SolveCommand& command, const System& system, const std::string& executor)
      : is_f32_(command.precision == "f32"),
        rhs_(system.rhs),
        low_val_(lowered(command, system.matrix.val)),
        low_rhs_(lowered(command, system.rhs)),
        solver_(make_matrix(system.matrix), solver_options(command, executor)) {}

  std::string_view executor() const { return solver_.executor(); }

  solvers::SolveResult solve(std::vector<double>& x, const solvers::SolveOptions& options,
                             const solvers::Watch& watch) {
    x.assign(rhs_.size(), 0.0);
    if (!is_f32_) return solver_.solve(rhs_, x, options, watch);
    std::vector<float> low_x(rhs_.size(), 0.0F);
    auto result = solver_.solve(low_rhs_, low_x, options, watch);
    x.assign(low_x.begin(), low_x.end());
    return result;
  }

 private:
  static std::vector<float> lowered(const SolveCommand& command, const std::vector<double>& from) {
    if (command.precision != "f32") return {};
    return {from.begin(), from.end()};
  }

  std::shared_ptr<const solvers::Matrix> make_matrix(const io::CsrMatrix& matrix) const {
    if (is_f32_) {
      return solvers::csr_matrix(
          solvers::CsrViewF32{matrix.rows, matrix.row, matrix.col, low_val_});
    }
    return solvers::csr_matrix(solvers::CsrView{matrix.rows, matrix.row, matrix.col, matrix.val});
  }

  bool is_f32_;
  const std::vector<double>& rhs_;
  std::vector<float> low_val_;
  std::vector<float> low_rhs_;
  solvers::Solver solver_;
};

// Solves from x = 0 on the executor of that name, or to the cancelling that Ctrl-C asks for.
SolveReport solve_on(const std::string& executor, const SolveCommand& command, const System& system,
                     const Interrupt& interrupt, std::vector<double>& x) {
  const io::CsrMatrix& matrix = system.matrix;
  PreciseSolver solver(command, system, executor);
  Progress progress;
  SolveReport report{.matrix = command.matrix,
                     .n = matrix.rows,
                     .entries = matrix.entries(),
                     .is_symmetric = system.is_symmetric,
                     .method = command.method,
                     .preconditioner = command.preconditioner,
                     .precision = command.precision,
                     .executor = std::string(solver.executor()),
                     .result = {}};
  report.result = solver.solve(x, command.options, [&](std::uint64_t trips) {
    progress.show(trips);
    return !interrupt.requested();
  });
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

Exit solve(const SolveCommand& command) {
  verify_outputs(command);
  const System system = read_system(command);
  if (!system.is_symmetric && solvers::method_named(command.method).wants_symmetric) {
    fmt::print(stderr, "gyre: {} is not symmetric, and {} is for symmetric matrices\n",
               command.matrix, command.method);
  }
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

// The names in a table of methods or preconditioners.
std::vector<std::string> names_in(const auto& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
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
  command->add_option("MATRIX", options->matrix, "the matrix; may be gzipped")->required();
  command->add_option("--method", options->method, "the method")
      ->check(CLI::IsMember(names_in(solvers::methods())))
      ->capture_default_str();
  command->add_option("--precond", options->preconditioner, "the preconditioner")
      ->check(CLI::IsMember(names_in(solvers::preconditioners())))
      ->capture_default_str();
  command->add_option("--precision", options->precision, "of matrix, right-hand side and x")
      ->check(CLI::IsMember({"f64", "f32", "mixed"}))
      ->capture_default_str();
  command->add_option("--restart", options->restart, "of gmres: the iterations of a cycle")
      ->capture_default_str();
  command->add_option("--relaxation", options->options.relaxation, "of richardson and jacobi")
      ->capture_default_str();
  command
      ->add_option("--eigenvalues", options->eigenvalues,
                   "of chebyshev: MIN,MAX of the preconditioned matrix; 0: from the matrix")
      ->delimiter(',')
      ->expected(2);
  command->add_option("--rhs", options->rhs, "the right-hand side: ones, or a Matrix Market file")
      ->capture_default_str();
  command->add_option("--rtol", options->options.rtol, "the tolerance relative to ||b||")
      ->capture_default_str();
  command->add_option("--atol", options->options.atol, "the absolute tolerance")
      ->capture_default_str();
  command->add_option("--dtol", options->options.dtol, "growth of the residual to give up at")
      ->capture_default_str();
  command->add_option("--max-trips", options->options.max_trips, "iterations at most")
      ->capture_default_str();
  command->add_option("--executor", options->executor, "where it runs: auto, a name, or all")
      ->capture_default_str();
  command->add_option("--output", options->output, "write x there, converged or not");
  command->add_flag("--history", options->history,
                    "the residual after each trip; --history=FILE writes it there");
  command->add_flag("--json", options->json, "print the result as JSON");
  command->callback([options, &exit] {
    options->options.eigenvalue_min = options->eigenvalues[0];
    options->options.eigenvalue_max = options->eigenvalues[1];
    exit = solve(*options);
  });
}

}  // namespace gyre::cli
