#include "solve_system.hpp"

#include <memory>

namespace gyre::cli {
namespace {

// Rows of one length come together, and what a block of threads reads stays within few lines.
constexpr std::int64_t sorting_window = 1024;

solvers::SolverOptions with_precision(solvers::SolverOptions options,
                                      const StorageOptions& storage) {
  options.mixed = storage.precision == "mixed";
  return options;
}

std::vector<float> lowered(bool is_f32, const std::vector<double>& from) {
  if (!is_f32) return {};
  return {from.begin(), from.end()};
}

}  // namespace

SystemSolver::SystemSolver(const io::CsrMatrix& matrix, const std::vector<double>& rhs,
                           const StorageOptions& storage, const solvers::SolverOptions& options)
    : rhs_(rhs),
      is_f32_(storage.precision == "f32"),
      low_val_(lowered(is_f32_, matrix.val)),
      low_rhs_(lowered(is_f32_, rhs)),
      solver_(store(matrix, storage), with_precision(options, storage)) {}

std::shared_ptr<const solvers::Matrix> SystemSolver::store(const io::CsrMatrix& matrix,
                                                           const StorageOptions& storage) {
  const auto stored = [&](const auto& csr) -> std::shared_ptr<const solvers::Matrix> {
    if (storage.format == "csr") return solvers::csr_matrix(csr);
    if (storage.format == "ell") {
      auto ell = solvers::make_ell(csr);
      return solvers::ell_matrix(arrays_.emplace<decltype(ell)>(std::move(ell)).view());
    }
    auto sell = solvers::make_sell(csr, {.window = sorting_window});
    return solvers::sell_matrix(arrays_.emplace<decltype(sell)>(std::move(sell)).view());
  };
  if (is_f32_) {
    return stored(solvers::CsrViewF32{matrix.rows, matrix.row, matrix.col, low_val_});
  }
  return stored(solvers::CsrView{matrix.rows, matrix.row, matrix.col, matrix.val});
}

solvers::SolveResult SystemSolver::solve(std::vector<double>& x,
                                         const solvers::SolveOptions& options,
                                         const solvers::Monitor& monitor) {
  if (!is_f32_) return solver_.solve(rhs_, x, options, monitor);
  std::vector<float> low_x(x.begin(), x.end());
  auto result = solver_.solve(low_rhs_, low_x, options, monitor);
  x.assign(low_x.begin(), low_x.end());
  return result;
}

}  // namespace gyre::cli
