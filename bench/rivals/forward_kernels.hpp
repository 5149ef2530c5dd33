/// The kernels of a forward, as its user has them. Each function puts one on a stream.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace gyre::bench::rivals {

/// h = 2 x
void put_double(cudaStream_t stream, std::int64_t n, const float* x, float* h);
/// y = h + addend; with a guard only while that is not 0.
void put_add(cudaStream_t stream, const unsigned* guard, std::int64_t n, float addend,
             const float* h, float* y);
/// h = 2 x, and the handle of a conditional node becomes *which, or `arms` where there is no such
/// arm.
void put_double_and_choose(cudaStream_t stream, std::int64_t n, const float* x, float* h,
                           const std::int32_t* which, int arms, cudaGraphConditionalHandle handle);

}  // namespace gyre::bench::rivals
