/// The words of `gyre solve`: what they are kept in, and how CLI11 reads them.
#pragma once

#include "gyre/solvers/options.hpp"
#include "gyre/solvers/solver.hpp"
#include "solve_system.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace gyre::cli {

/// What CLI11 gives for a flag without `=FILE`.
constexpr auto no_file = "true";

struct SolveCommand {
  std::string matrix;
  std::string method = "cg";
  // `auto`: none, unless the method is chosen here.
  std::string preconditioner = "auto";
  StorageOptions storage;
  std::int64_t block_size = solvers::SolverOptions{}.block_size;
  std::int64_t degree = solvers::SolverOptions{}.degree;
  std::int64_t restart = solvers::SolverOptions{}.restart;
  std::vector<double> eigenvalues = {0, 0};
  std::string rhs = "ones";
  std::string executor = "auto";
  std::string output;
  std::string history;
  std::string rtol_of = "rhs";
  solvers::SolveOptions options;
  bool json = false;
};

/// Declares all options of `command`, in the order in which its help has them. The values go to
/// `solve`, but for `rtol_of` and `eigenvalues`: those are words still.
void add_options(CLI::App& command, SolveCommand& solve);

}  // namespace gyre::cli
