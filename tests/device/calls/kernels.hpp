/// Kernels of a user's, which the tests of calls put on streams. Every function launches one.
#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

namespace gyre::kernels {

/// y += *alpha * x
void axpy(cudaStream_t stream, std::int64_t n, const double* alpha, const double* x, double* y);
/// x += by
void add(cudaStream_t stream, std::int64_t n, std::int32_t by, std::int32_t* x);
/// The same from a kernel that nothing else launches, so that a call is what loads it.
void add_from_a_kernel_of_its_own(cudaStream_t stream, std::int64_t n, std::int32_t by,
                                  std::int32_t* x);
/// The same where `*guard` is not 0.
void add_guarded(cudaStream_t stream, const unsigned* guard, std::int64_t n, std::int32_t by,
                 std::int32_t* x);
/// The same on the legacy default stream, as a launch without a stream does it.
void add_on_the_legacy_stream(std::int64_t n, std::int32_t by, std::int32_t* x);
/// y = x in reverse order
void reverse(cudaStream_t stream, std::int64_t n, const std::int32_t* x, std::int32_t* y);
/// *r /= 2
void halve(cudaStream_t stream, double* r);

/// *sum = the sum of x, by a cooperative kernel whose blocks meet between their two steps.
/// `partials` has room for `cooperative_blocks` sums.
inline constexpr int cooperative_blocks = 8;
void sum_cooperatively(cudaStream_t stream, std::int64_t n, const std::int32_t* x,
                       std::int64_t* partials, std::int64_t* sum);

/// *sum = the sum of x, by CUB, which wants so much memory for it.
std::size_t bytes_of_cub_sum(std::int64_t n);
void sum_by_cub(cudaStream_t stream, void* memory, std::size_t bytes, std::int64_t n,
                const std::int32_t* x, std::int64_t* sum);

/// A kernel that is called like those of NCCL, and does nothing.
void collective(cudaStream_t stream);

}  // namespace gyre::kernels
