/// A dense layer as a kernel of one's own, which does nothing while a guard says so.
#pragma once

#include <cstdint>

#include <cuda_runtime.h>

namespace forwards {

/// The arrays of one layer, row-major, all on the GPU.
struct DenseArrays {
  std::int64_t rows, outputs, inputs;
  const float* x;
  const float* w;
  const float* b;
  float* y;
  bool relu;
  /// Null, or of each row what it must be to take part; others are left as they are.
  const std::int32_t* tag = nullptr;
  std::int32_t wanted = 0;
};

/// Puts y = f(x Wᵀ + b) on the stream: a warp for each output. With a guard it does nothing while
/// that is 0.
void put_dense(cudaStream_t stream, const unsigned* guard, const DenseArrays& layer);

/// Puts on the stream a copy from `from` to y of those rows that take part.
void put_rows(cudaStream_t stream, const float* from, const DenseArrays& to);

}  // namespace forwards
