#include "kernels.hpp"

#include <cooperative_groups.h>
#include <cub/device/device_reduce.cuh>

__global__ void ncclDevKernel_AllReduce_of_a_test() {}

namespace gyre::kernels {
namespace {

constexpr int threads = 256;

int blocks_for(std::int64_t n) {
  return static_cast<int>((n + threads - 1) / threads);
}

__device__ std::int64_t index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

__global__ void axpy_kernel(std::int64_t n, const double* alpha, const double* x, double* y) {
  if (index() < n) y[index()] += *alpha * x[index()];
}

__global__ void add_kernel(std::int64_t n, std::int32_t by, std::int32_t* x) {
  if (index() < n) x[index()] += by;
}

__global__ void add_kernel_of_its_own(std::int64_t n, std::int32_t by, std::int32_t* x) {
  if (index() < n) x[index()] += by;
}

__global__ void add_guarded_kernel(const unsigned* guard, std::int64_t n, std::int32_t by,
                                   std::int32_t* x) {
  if (*guard != 0 && index() < n) x[index()] += by;
}

__global__ void reverse_kernel(std::int64_t n, const std::int32_t* x, std::int32_t* y) {
  if (index() < n) y[index()] = x[n - 1 - index()];
}

__global__ void halve_kernel(double* r) {
  *r /= 2;
}

__global__ void sum_kernel(std::int64_t n, const std::int32_t* x, std::int64_t* partials,
                           std::int64_t* sum) {
  if (threadIdx.x == 0) {
    std::int64_t part = 0;
    for (std::int64_t i = blockIdx.x; i < n; i += gridDim.x) part += x[i];
    partials[blockIdx.x] = part;
  }
  cooperative_groups::this_grid().sync();
  if (index() != 0) return;
  std::int64_t total = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) total += partials[block];
  *sum = total;
}

}  // namespace

void axpy(cudaStream_t stream, std::int64_t n, const double* alpha, const double* x, double* y) {
  axpy_kernel<<<blocks_for(n), threads, 0, stream>>>(n, alpha, x, y);
}

void add(cudaStream_t stream, std::int64_t n, std::int32_t by, std::int32_t* x) {
  add_kernel<<<blocks_for(n), threads, 0, stream>>>(n, by, x);
}

void add_from_a_kernel_of_its_own(cudaStream_t stream, std::int64_t n, std::int32_t by,
                                  std::int32_t* x) {
  add_kernel_of_its_own<<<blocks_for(n), threads, 0, stream>>>(n, by, x);
}

void add_guarded(cudaStream_t stream, const unsigned* guard, std::int64_t n, std::int32_t by,
                 std::int32_t* x) {
  add_guarded_kernel<<<blocks_for(n), threads, 0, stream>>>(guard, n, by, x);
}

void add_on_the_legacy_stream(std::int64_t n, std::int32_t by, std::int32_t* x) {
  add_kernel<<<blocks_for(n), threads>>>(n, by, x);
}

void reverse(cudaStream_t stream, std::int64_t n, const std::int32_t* x, std::int32_t* y) {
  reverse_kernel<<<blocks_for(n), threads, 0, stream>>>(n, x, y);
}

void halve(cudaStream_t stream, double* r) {
  halve_kernel<<<1, 1, 0, stream>>>(r);
}

void sum_cooperatively(cudaStream_t stream, std::int64_t n, const std::int32_t* x,
                       std::int64_t* partials, std::int64_t* sum) {
  void* arguments[] = {&n, &x, &partials, &sum};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(&sum_kernel), cooperative_blocks, 32,
                              arguments, 0, stream);
}

std::size_t bytes_of_cub_sum(std::int64_t n) {
  std::size_t bytes = 0;
  cub::DeviceReduce::Sum(nullptr, bytes, static_cast<const std::int32_t*>(nullptr),
                         static_cast<std::int64_t*>(nullptr), n);
  return bytes;
}

void sum_by_cub(cudaStream_t stream, void* memory, std::size_t bytes, std::int64_t n,
                const std::int32_t* x, std::int64_t* sum) {
  cub::DeviceReduce::Sum(memory, bytes, x, sum, n, stream);
}

void collective(cudaStream_t stream) {
  ncclDevKernel_AllReduce_of_a_test<<<1, 1, 0, stream>>>();
}

}  // namespace gyre::kernels
