#include "rivals/forward_kernels.hpp"
#include "support/device_array.hpp"

namespace gyre::bench::rivals {
namespace {

constexpr int threads = 256;

unsigned blocks_for(std::int64_t n) {
  return static_cast<unsigned>((n + threads - 1) / threads);
}

__device__ std::int64_t index() {
  return static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
}

__global__ void twice(std::int64_t n, const float* x, float* h) {
  if (index() < n) h[index()] = 2 * x[index()];
}

__global__ void add(const unsigned* guard, std::int64_t n, float addend, const float* h, float* y) {
  if (guard != nullptr && *guard == 0) return;
  if (index() < n) y[index()] = h[index()] + addend;
}

__global__ void twice_and_choose(std::int64_t n, const float* x, float* h,
                                 const std::int32_t* which, int arms,
                                 cudaGraphConditionalHandle handle) {
  if (index() < n) h[index()] = 2 * x[index()];
  if (index() != 0) return;
  const bool is_there = *which >= 0 && *which < arms;
  cudaGraphSetConditional(handle, static_cast<unsigned>(is_there ? *which : arms));
}

}  // namespace

void put_double(cudaStream_t stream, std::int64_t n, const float* x, float* h) {
  twice<<<blocks_for(n), threads, 0, stream>>>(n, x, h);
  must(cudaGetLastError());
}

void put_add(cudaStream_t stream, const unsigned* guard, std::int64_t n, float addend,
             const float* h, float* y) {
  add<<<blocks_for(n), threads, 0, stream>>>(guard, n, addend, h, y);
  must(cudaGetLastError());
}

void put_double_and_choose(cudaStream_t stream, std::int64_t n, const float* x, float* h,
                           const std::int32_t* which, int arms, cudaGraphConditionalHandle handle) {
  twice_and_choose<<<blocks_for(n), threads, 0, stream>>>(n, x, h, which, arms, handle);
  must(cudaGetLastError());
}

}  // namespace gyre::bench::rivals
