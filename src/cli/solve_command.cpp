#include "solve_command.hpp"

#include "gyre/solvers/methods.hpp"

#include <string>
#include <utility>
#include <vector>

namespace gyre::cli {
namespace {

// The names in a table of methods or preconditioners.
std::vector<std::string> names_in(const auto& table) {
  std::vector<std::string> names;
  for (const auto& row : table) names.emplace_back(row.name);
  return names;
}

std::vector<std::string> with_auto(std::vector<std::string> names) {
  names.emplace_back("auto");
  return names;
}

void add_method(CLI::App& command, SolveCommand& solve) {
  command.add_option("MATRIX", solve.matrix, "the matrix; may be gzipped")->required();
  command.add_option("--method", solve.method, "the method; auto chooses one and says why")
      ->check(CLI::IsMember(with_auto(names_in(solvers::methods()))))
      ->capture_default_str();
  command
      .add_option("--precond", solve.preconditioner,
                  "the preconditioner; auto is none unless the method is auto too")
      ->check(CLI::IsMember(with_auto(names_in(solvers::preconditioners()))))
      ->capture_default_str();
  command.add_option("--precision", solve.storage.precision, "of matrix, right-hand side and x")
      ->check(CLI::IsMember({"f64", "f32", "mixed"}))
      ->capture_default_str();
  command
      .add_option("--format", solve.storage.format, "how the matrix is stored while it is solved")
      ->check(CLI::IsMember({"csr", "ell", "sell"}))
      ->capture_default_str();
}

// Each of one method or preconditioner.
void add_parameters(CLI::App& command, SolveCommand& solve) {
  command.add_option("--block-size", solve.block_size, "of block_jacobi: the rows of a block")
      ->capture_default_str();
  command.add_option("--degree", solve.degree, "of the preconditioner chebyshev: its trips")
      ->capture_default_str();
  command.add_option("--restart", solve.restart, "of gmres: the iterations of a cycle")
      ->capture_default_str();
  command
      .add_option("--relaxation", solve.options.relaxation,
                  "of richardson, jacobi, gauss_seidel and ssor")
      ->capture_default_str();
  command
      .add_option("--eigenvalues", solve.eigenvalues,
                  "of chebyshev: MIN,MAX of the preconditioned matrix; 0: from the matrix")
      ->delimiter(',')
      ->expected(2);
}

void add_goal(CLI::App& command, SolveCommand& solve) {
  command
      .add_option("--rhs", solve.rhs,
                  "the right-hand side: ones, or a Matrix Market file; several columns are solved "
                  "at once")
      ->capture_default_str();
  command.add_option("--rtol", solve.options.rtol, "the relative tolerance")->capture_default_str();
  command
      .add_option("--rtol-of", solve.rtol_of,
                  "what that is relative to: ||b||, or ||b - A x|| at the start")
      ->check(CLI::IsMember({"rhs", "start"}))
      ->capture_default_str();
  command.add_option("--atol", solve.options.atol, "the absolute tolerance")->capture_default_str();
  command.add_option("--dtol", solve.options.dtol, "growth of the residual to give up at")
      ->capture_default_str();
  command.add_option("--max-trips", solve.options.max_trips, "iterations at most")
      ->capture_default_str();
  command
      .add_option("--check-every", solve.options.check_every,
                  "iterations from one look at the tolerances to the next")
      ->capture_default_str();
  command.add_option("--max-seconds", solve.options.max_seconds, "seconds at most")
      ->capture_default_str();
}

void add_outputs(CLI::App& command, SolveCommand& solve) {
  command.add_option("--executor", solve.executor, "where it runs: auto, a name, or all")
      ->capture_default_str();
  command.add_option("--output", solve.output, "write x there, converged or not");
  command.add_flag("--history", solve.history,
                   "the residual after each trip; --history=FILE writes it there");
  command.add_flag("--json", solve.json, "print the result as JSON");
}

}  // namespace

void add_options(CLI::App& command, SolveCommand& solve) {
  add_method(command, solve);
  add_parameters(command, solve);
  add_goal(command, solve);
  add_outputs(command, solve);
}

}  // namespace gyre::cli
