// The five-point Laplacian on a square grid, as the arrays of a CSR matrix.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

struct Laplacian {
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;
  std::vector<double> val;

  // side * side unknowns, zero on the boundary.
  explicit Laplacian(std::int32_t side) {
    for (std::int32_t i = 0; i < side; ++i) {
      for (std::int32_t j = 0; j < side; ++j) {
        if (i > 0) add((i - 1) * side + j, -1);
        if (j > 0) add(i * side + j - 1, -1);
        add(i * side + j, 4);
        if (j + 1 < side) add(i * side + j + 1, -1);
        if (i + 1 < side) add((i + 1) * side + j, -1);
        row.push_back(static_cast<std::int32_t>(col.size()));
      }
    }
  }

  std::size_t rows() const { return row.size() - 1; }

  // ‖b − A x‖ / ‖b‖, computed here and not by the solver.
  double residual(const std::vector<double>& b, const std::vector<double>& x) const {
    double rr = 0;
    double bb = 0;
    for (std::size_t i = 0; i < rows(); ++i) {
      double r = b[i];
      for (std::int32_t k = row[i]; k < row[i + 1]; ++k) r -= val[k] * x[col[k]];
      rr += r * r;
      bb += b[i] * b[i];
    }
    return std::sqrt(rr / bb);
  }

 private:
  void add(std::int32_t column, double value) {
    col.push_back(column);
    val.push_back(value);
  }
};
