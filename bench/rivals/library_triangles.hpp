/// The triangular solves of an incomplete factorisation as they are written with cuSPARSE.
#pragma once

#include "support/device_array.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gyre::bench::rivals {

/// L and U in one matrix in compressed rows, where L has ones on its diagonal, which are not
/// stored.
struct Factors {
  std::vector<std::int32_t> row;
  std::vector<std::int32_t> col;
  std::vector<double> val;

  std::int64_t rows() const { return static_cast<std::int64_t>(row.size()) - 1; }
};

/// z = U⁻¹ L⁻¹ r by SpSV, which has looked at both triangles once.
class LibraryTriangles {
 public:
  virtual ~LibraryTriangles() = default;
  /// Puts both solves on the stream.
  virtual void put() = 0;
};

/// `r` and `z` stay the caller's.
std::unique_ptr<LibraryTriangles> make_library_triangles(const Factors& factors,
                                                         const DeviceArray<double>& r,
                                                         const DeviceArray<double>& z,
                                                         cudaStream_t stream);

}  // namespace gyre::bench::rivals
