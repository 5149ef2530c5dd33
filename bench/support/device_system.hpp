/// Linear systems that lie on the GPU.
#pragma once

#include "gyre/io/csr_matrix.hpp"
#include "support/device_array.hpp"

#include <cstdint>
#include <string>

namespace gyre::bench {

/// The Laplacian of a square (5 points) or of a cube (7 or 27) with `side` points along an edge.
struct Stencil {
  int points;
  int side;

  std::int64_t rows() const;
};

/// A x = b with A in CSR and b of magnitude 1, every element different.
class DeviceSystem {
 public:
  /// Made on the GPU: the largest has hundreds of millions of entries.
  explicit DeviceSystem(const Stencil& stencil);
  explicit DeviceSystem(const io::CsrMatrix& matrix);

  std::int64_t rows() const { return static_cast<std::int64_t>(b.size()); }
  std::int64_t entries() const { return static_cast<std::int64_t>(val.size()); }
  /// The least that a trip of conjugate gradients of three fused kernels moves.
  double bytes_per_trip() const {
    return 12.0 * static_cast<double>(entries()) + 4.0 * static_cast<double>(rows() + 1) +
           88.0 * static_cast<double>(rows());
  }

  DeviceArray<std::int32_t> row, col;
  DeviceArray<double> val, b, x;
};

/// max |x - y| / max |y|, on the GPU; NaN where either holds one. 0 only where all are equal.
double relative_difference(const DeviceArray<double>& x, const DeviceArray<double>& y);
/// ‖b - A x‖ / ‖b‖
double relative_residual(const DeviceSystem& system);

}  // namespace gyre::bench
