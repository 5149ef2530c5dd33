/// What `gyre solve` says of a solve: for a person, for a program, and as one table of many.
#pragma once

#include "gyre/solvers/solve_result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gyre::cli {

/// A solve and what it was of.
struct SolveReport {
  std::string matrix;
  std::int64_t n = 0;
  std::int64_t entries = 0;
  bool is_symmetric = false;
  std::string method;
  /// Why this method, where it was chosen for the user.
  std::string why;
  std::string preconditioner;
  std::string precision = "f64";
  std::string executor;
  solvers::SolveResult result;
};

/// A few lines for a person.
std::string print_report(const SolveReport& report);

/// One line for each report, all of the same system.
std::string print_table(const std::vector<SolveReport>& reports);

/// One JSON object; an array of them. Numbers that are not finite are null. The history is there
/// where it was kept.
std::string print_json(const SolveReport& report);
std::string print_json(const std::vector<SolveReport>& reports);

/// `trip residual` by line, under a line that names them.
std::string print_history(const solvers::SolveResult& result);

}  // namespace gyre::cli
