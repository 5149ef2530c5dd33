#include "gyre/solvers/csr_view.hpp"

#include "gyre/base/error.hpp"

#include <string>

namespace gyre::solvers {

void verify_csr_view(const CsrView& matrix) {
  const auto refuse = [](const std::string& why) { throw UsageError("the matrix: " + why); };
  if (matrix.n < 0 || static_cast<std::int64_t>(matrix.row.size()) != matrix.n + 1) {
    refuse("n = " + std::to_string(matrix.n) + " rows need n + 1 row starts, and " +
           std::to_string(matrix.row.size()) + " are given");
  }
  if (matrix.val.size() != matrix.col.size()) {
    refuse(std::to_string(matrix.col.size()) + " columns with " +
           std::to_string(matrix.val.size()) + " values");
  }
  if (matrix.row.front() != 0 || matrix.row.back() != matrix.entries()) {
    refuse("the row starts do not go from 0 to its " + std::to_string(matrix.entries()) +
           " entries");
  }
  for (std::size_t i = 1; i < matrix.row.size(); ++i) {
    if (matrix.row[i] < matrix.row[i - 1]) {
      refuse("row " + std::to_string(i - 1) + " (from 0) ends before it begins");
    }
  }
  for (const std::int32_t column : matrix.col) {
    if (column < 0 || column >= matrix.n) {
      refuse("column " + std::to_string(column) + " is outside 0 .. " + std::to_string(matrix.n));
    }
  }
}

}  // namespace gyre::solvers
