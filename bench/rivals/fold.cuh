/// Sums in the shape that gyre gives them: strands, combined by pairs of neighbours.
///
/// -0.0 stands for a term that is not there: adding it changes no number.
#pragma once

#include <cstdint>

namespace gyre::bench::rivals {

constexpr int block_size = 256;
/// An outer sum has at most 2^18 strands.
constexpr int most_blocks = 1024;
constexpr double nothing = -0.0;

/// The blocks that the strands of a sum of n terms fill.
inline int blocks_of(std::int64_t n) {
  const std::int64_t blocks = (n + block_size - 1) / block_size;
  return static_cast<int>(blocks < most_blocks ? blocks : most_blocks);
}

/// The sum of the block's strands, one a thread; every thread gets it. All threads call it.
__device__ inline double sum_of_block(double strand) {
  __shared__ double warps[block_size / 32];
  for (int step = 1; step < 32; step *= 2) strand += __shfl_xor_sync(0xffffffffu, strand, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = strand;
  __syncthreads();
  return ((warps[0] + warps[1]) + (warps[2] + warps[3])) +
         ((warps[4] + warps[5]) + (warps[6] + warps[7]));
}

/// The sum of what the blocks of an outer sum have left. All threads of a block call it.
__device__ inline double sum_of_partials(const double* partials, int blocks) {
  const int first = 4 * static_cast<int>(threadIdx.x);
  double part[4];
  for (int i = 0; i < 4; ++i) part[i] = first + i < blocks ? partials[first + i] : nothing;
  return sum_of_block((part[0] + part[1]) + (part[2] + part[3]));
}

/// The strand of an inner sum: terms first, first + width, … before `end`.
template <class Term>
__device__ double sum_of_strand(std::int32_t first, std::int32_t end, std::int32_t width,
                                Term term) {
  double sum = nothing;
  for (std::int32_t k = first; k < end; k += width) sum += term(k);
  return sum;
}

/// An inner sum of term(k) over begin .. end, by one thread.
template <class Term>
__device__ double inner_sum(std::int32_t begin, std::int32_t end, Term term) {
  const std::int32_t count = end - begin;
  if (count == 0) return 0;
  const auto strand = [&](std::int32_t at, std::int32_t width) {
    return sum_of_strand(begin + at, end, width, term);
  };
  if (count < 8) return strand(0, 1);
  if (count < 16) return strand(0, 2) + strand(1, 2);
  if (count < 32) return (strand(0, 4) + strand(1, 4)) + (strand(2, 4) + strand(3, 4));
  std::int32_t width = 8;
  while (width < 256 && width * 8 <= count) width *= 2;

  // A binary counter: level l holds the sum of 2^l neighbouring strands.
  double levels[9];
  double sum = 0;
  for (std::int32_t at = 0; at < width; ++at) {
    sum = strand(at, width);
    int level = 0;
    for (; (at >> level & 1) != 0; ++level) sum = levels[level] + sum;
    levels[level] = sum;
  }
  return sum;
}

}  // namespace gyre::bench::rivals
