#include "support/device_system.hpp"

#include <cmath>
#include <vector>

namespace gyre::bench {
namespace {

constexpr int threads = 256;

unsigned blocks_for(std::int64_t n) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

__device__ std::int64_t index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// Calls visit(column, value) for each entry of the row of `at`, columns ascending.
template <class Visit>
__device__ void visit_row(const Stencil& stencil, std::int64_t at, Visit visit) {
  const std::int64_t side = stencil.side;
  const bool flat = stencil.points == 5;
  const std::int64_t x = at % side;
  const std::int64_t y = at / side % side;
  const std::int64_t z = at / (side * side);
  const auto inside = [&](std::int64_t c) { return c >= 0 && c < side; };
  for (int dz = flat ? 0 : -1; dz <= (flat ? 0 : 1); ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const int steps = (dx != 0) + (dy != 0) + (dz != 0);
        if (stencil.points != 27 && steps > 1) continue;
        if (!inside(x + dx) || !inside(y + dy) || (!flat && !inside(z + dz))) continue;
        visit(at + dx + side * (dy + side * dz), steps == 0 ? stencil.points - 1.0 : -1.0);
      }
    }
  }
}

// How many entries that row has.
std::int32_t entries_of_row(const Stencil& stencil, std::int64_t at) {
  const std::int64_t side = stencil.side;
  const auto neighbours = [&](std::int64_t c) { return (c > 0) + (c + 1 < side); };
  const int x = neighbours(at % side);
  const int y = neighbours(at / side % side);
  if (stencil.points == 5) return 1 + x + y;
  const int z = neighbours(at / (side * side));
  return stencil.points == 7 ? 1 + x + y + z : (1 + x) * (1 + y) * (1 + z);
}

__global__ void fill_rows(Stencil stencil, std::int64_t n, const std::int32_t* row,
                          std::int32_t* col, double* val) {
  const std::int64_t at = index();
  if (at >= n) return;
  std::int32_t k = row[at];
  visit_row(stencil, at, [&](std::int64_t column, double value) {
    col[k] = static_cast<std::int32_t>(column);
    val[k++] = value;
  });
}

// Between 0.5 and 1.5.
__global__ void fill_rhs(std::int64_t n, double* b) {
  const std::int64_t i = index();
  if (i >= n) return;
  std::uint64_t mixed = static_cast<std::uint64_t>(i + 1) * 0x9E3779B97F4A7C15ULL;
  mixed = (mixed ^ (mixed >> 31)) * 0xBF58476D1CE4E5B9ULL;
  b[i] = 0.5 + static_cast<double>(mixed >> 11) * 0x1p-53;
}

// Non-negative doubles are ordered as their bits are, and NaN lies above all.
__device__ void raise(double* greatest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(greatest),
            static_cast<unsigned long long>(__double_as_longlong(fabs(value))));
}

__global__ void compare(std::int64_t n, const double* x, const double* y, double* greatest) {
  const std::int64_t i = index();
  if (i >= n) return;
  raise(&greatest[0], x[i] - y[i]);
  raise(&greatest[1], y[i]);
}

__global__ void add_squares(std::int64_t n, const std::int32_t* row, const std::int32_t* col,
                            const double* val, const double* b, const double* x, double* squares) {
  const std::int64_t i = index();
  if (i >= n) return;
  double r = b[i];
  for (std::int32_t k = row[i]; k < row[i + 1]; ++k) r -= val[k] * x[col[k]];
  atomicAdd(&squares[0], r * r);
  atomicAdd(&squares[1], b[i] * b[i]);
}

DeviceArray<double> make_rhs(std::int64_t n) {
  DeviceArray<double> b(static_cast<std::size_t>(n));
  fill_rhs<<<blocks_for(n), threads>>>(n, b.data());
  must(cudaDeviceSynchronize());
  return b;
}

}  // namespace

std::int64_t Stencil::rows() const {
  const std::int64_t square = static_cast<std::int64_t>(side) * side;
  return points == 5 ? square : square * side;
}

DeviceSystem::DeviceSystem(const Stencil& stencil) {
  const std::int64_t n = stencil.rows();
  std::vector<std::int32_t> offsets(static_cast<std::size_t>(n) + 1);
  for (std::int64_t i = 0; i < n; ++i) {
    const auto at = static_cast<std::size_t>(i);
    offsets[at + 1] = offsets[at] + entries_of_row(stencil, i);
  }
  row = DeviceArray<std::int32_t>(offsets);
  col = DeviceArray<std::int32_t>(static_cast<std::size_t>(offsets.back()));
  val = DeviceArray<double>(static_cast<std::size_t>(offsets.back()));
  fill_rows<<<blocks_for(n), threads>>>(stencil, n, row.data(), col.data(), val.data());
  must(cudaGetLastError());
  b = make_rhs(n);
  x = DeviceArray<double>(static_cast<std::size_t>(n));
}

DeviceSystem::DeviceSystem(const io::CsrMatrix& matrix)
    : row(matrix.row),
      col(matrix.col),
      val(matrix.val),
      b(make_rhs(matrix.rows)),
      x(static_cast<std::size_t>(matrix.rows)) {}

double relative_difference(const DeviceArray<double>& x, const DeviceArray<double>& y) {
  DeviceArray<double> greatest(2);
  greatest.clear();
  const auto n = static_cast<std::int64_t>(x.size());
  compare<<<blocks_for(n), threads>>>(n, x.data(), y.data(), greatest.data());
  must(cudaGetLastError());
  const std::vector<double> found = greatest.to_host();
  return found[0] == 0 ? 0 : found[0] / found[1];
}

double relative_residual(const DeviceSystem& system) {
  DeviceArray<double> squares(2);
  squares.clear();
  add_squares<<<blocks_for(system.rows()), threads>>>(
      system.rows(), system.row.data(), system.col.data(), system.val.data(), system.b.data(),
      system.x.data(), squares.data());
  must(cudaGetLastError());
  const std::vector<double> found = squares.to_host();
  return std::sqrt(found[0] / found[1]);
}

}  // namespace gyre::bench
