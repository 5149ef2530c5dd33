/// A linear system as `gyre solve` stores and solves it.
#pragma once

#include "gyre/io/csr_matrix.hpp"
#include "gyre/solvers/ell_matrix.hpp"
#include "gyre/solvers/sell_matrix.hpp"
#include "gyre/solvers/solver.hpp"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gyre::cli {

/// `f64`, `f32` or `mixed`; `csr`, `ell` or `sell`.
struct StorageOptions {
  std::string precision = "f64";
  std::string format = "csr";
};

/// A system in the precision and the format that is asked for, with its solver. Matrix and
/// right-hand side must outlive it.
class SystemSolver {
 public:
  SystemSolver(const io::CsrMatrix& matrix, const std::vector<double>& rhs,
               const StorageOptions& storage, const solvers::SolverOptions& options);

  std::string_view executor() const { return solver_.executor(); }
  /// Solves from x.
  solvers::SolveResult solve(std::vector<double>& x, const solvers::SolveOptions& options,
                             const solvers::Monitor& monitor);

 private:
  std::shared_ptr<const solvers::Matrix> store(const io::CsrMatrix& matrix,
                                               const StorageOptions& storage);

  const std::vector<double>& rhs_;
  bool is_f32_;
  std::vector<float> low_val_;
  std::vector<float> low_rhs_;
  std::variant<solvers::EllArrays<double>, solvers::EllArrays<float>, solvers::SellArrays<double>,
               solvers::SellArrays<float>>
      arrays_;
  solvers::Solver solver_;
};

}  // namespace gyre::cli
