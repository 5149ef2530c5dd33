/// `gyre solve` where the right-hand side has several columns: all of them at once.
#pragma once

#include "command.hpp"
#include "gyre/io/matrix_market.hpp"
#include "gyre/solvers/advice.hpp"
#include "gyre/solvers/options.hpp"

#include <cstdint>
#include <string>

namespace gyre::cli {

/// A X = B with the names of what is asked for, as the command line has them.
struct ManySystems {
  std::string name;
  const io::CsrMatrix& matrix;
  bool is_symmetric = false;
  const io::DenseMatrix& rhs;
  solvers::Advice advice;
  std::int64_t degree = 3;
  std::string precision = "f64";
  std::string executor = "auto";
  solvers::SolveOptions options;
  /// Where X goes; empty: nowhere.
  std::string output;
  bool json = false;
};

/// Solves from X = 0 and prints a line for each column. Done where all of them converged.
Exit solve_many(const ManySystems& systems);

}  // namespace gyre::cli
