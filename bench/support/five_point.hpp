/// The five-point Laplacian of a square with a right-hand side, in the memory of the host.
#pragma once

#include "gyre/solvers/csr_matrix.hpp"

#include <cstdint>
#include <vector>

namespace gyre::bench {

/// A x = b with the matrix in compressed rows and as many rows as a square of `side` has points.
struct HostSystem {
  std::int64_t side = 0;
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;
  std::vector<double> val;
  std::vector<double> b;

  std::int64_t n() const { return side * side; }
  solvers::CsrView csr() const { return {n(), row, col, val}; }
};

/// 4 u − neighbours, with columns in order; b has 17 values in turn.
HostSystem make_five_point(std::int64_t side);

}  // namespace gyre::bench
