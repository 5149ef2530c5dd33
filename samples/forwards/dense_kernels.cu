#include "dense_kernels.hpp"

#include <stdexcept>

namespace forwards {
namespace {

constexpr int lanes = 32;
constexpr int warps = 8;

// One warp sums up one output of one row.
__global__ void dense(const unsigned* guard, DenseArrays d) {
  if (guard != nullptr && *guard == 0) return;
  const std::int64_t output = static_cast<std::int64_t>(blockIdx.x) * warps + threadIdx.y;
  const std::int64_t row = blockIdx.y;
  if (output >= d.outputs) return;
  if (d.tag != nullptr && d.tag[row] != d.wanted) return;
  float sum = 0;
  for (std::int64_t k = threadIdx.x; k < d.inputs; k += lanes) {
    sum += d.w[output * d.inputs + k] * d.x[row * d.inputs + k];
  }
  for (int apart = lanes / 2; apart > 0; apart /= 2) sum += __shfl_xor_sync(~0U, sum, apart);
  if (threadIdx.x != 0) return;
  const float value = sum + d.b[output];
  d.y[row * d.outputs + output] = d.relu ? fmaxf(value, 0) : value;
}

__global__ void copy_rows(const float* from, DenseArrays d) {
  const std::int64_t row = blockIdx.y;
  const std::int64_t output = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (output >= d.outputs || (d.tag != nullptr && d.tag[row] != d.wanted)) return;
  d.y[row * d.outputs + output] = from[row * d.outputs + output];
}

dim3 grid_of(const DenseArrays& d, int outputs_per_block) {
  return dim3(static_cast<unsigned>((d.outputs + outputs_per_block - 1) / outputs_per_block),
              static_cast<unsigned>(d.rows));
}

void check() {
  const cudaError_t status = cudaGetLastError();
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

}  // namespace

void put_dense(cudaStream_t stream, const unsigned* guard, const DenseArrays& layer) {
  dense<<<grid_of(layer, warps), dim3(lanes, warps), 0, stream>>>(guard, layer);
  check();
}

void put_rows(cudaStream_t stream, const float* from, const DenseArrays& to) {
  copy_rows<<<grid_of(to, 256), 256, 0, stream>>>(from, to);
  check();
}

}  // namespace forwards
