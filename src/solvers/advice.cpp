#include "gyre/solvers/advice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace gyre::solvers {
namespace {

// Within this factor Jacobi would scale all rows alike.
constexpr double even_diagonal = 1.01;

std::vector<double> diagonal_of(const CsrView& matrix) {
  std::vector<double> diagonal(static_cast<std::size_t>(matrix.n), 0.0);
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    for (std::int32_t k = matrix.row[i]; k < matrix.row[i + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      if (matrix.col[at] == static_cast<std::int32_t>(i)) diagonal[i] += matrix.val[at];
    }
  }
  return diagonal;
}

}  // namespace

MatrixFacts facts_of(const CsrView& matrix, bool is_symmetric) {
  verify_csr_view(matrix);
  MatrixFacts facts;
  facts.is_symmetric = is_symmetric;
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
  for (const double one : diagonal_of(matrix)) {
    if (one == 0) ++facts.rows_without_diagonal;
    if (one < 0) ++facts.negative_diagonals;
    least = std::min(least, std::abs(one));
    most = std::max(most, std::abs(one));
  }
  facts.diagonal_is_even = most <= even_diagonal * least;
  return facts;
}

Advice advise(const MatrixFacts& facts) {
  const auto jacobi = facts.rows_without_diagonal > 0 || facts.diagonal_is_even
                          ? Preconditioner::None
                          : Preconditioner::Jacobi;
  if (facts.is_symmetric && facts.rows_without_diagonal + facts.negative_diagonals == 0) {
    return {"cg", jacobi,
            "the matrix is symmetric with a positive diagonal, so it may be positive definite"};
  }
  if (facts.is_symmetric) {
    return {"minres", Preconditioner::None,
            "the matrix is symmetric, and its diagonal shows that it is not positive definite"};
  }
  if (facts.rows_without_diagonal > 0) {
    return {"gmres", Preconditioner::None,
            "the matrix is not symmetric, and lacks diagonal entries"};
  }
  return {"bicgstab", jacobi, "the matrix is not symmetric"};
}

std::optional<Advice> advise_after(const Advice& advice, Reason reason) {
  if (advice.method == "cg" && reason == Reason::Indefinite) {
    return Advice{"minres", Preconditioner::None,
                  "cg found that the matrix is not positive definite"};
  }
  const bool is_stuck =
      reason == Reason::Breakdown || reason == Reason::Dtol || reason == Reason::NanOrInf;
  if (advice.method == "bicgstab" && is_stuck) {
    return Advice{"gmres", advice.preconditioner, "bicgstab could not go on"};
  }
  return std::nullopt;
}

}  // namespace gyre::solvers
