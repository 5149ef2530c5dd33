/// The matrix products of a decoder as calls of cuBLAS, in f32. Their sums have another order than
/// those of the language: logits agree up to rounding.
#pragma once

#include "decoder.hpp"

#include <memory>
#include <stdexcept>
#include <string>

#include <cublas_v2.h>

namespace forwards {

inline void must_be(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasGetStatusString(status));
}

/// For executors on a GPU. The handle lives as long as the program's executables.
inline ProductForm cublas_product() {
  cublasHandle_t made = nullptr;
  must_be(cublasCreate(&made));
  const std::shared_ptr<cublasContext> handle(made,
                                              [](cublasHandle_t blas) { cublasDestroy(blas); });
  return [handle](gyre::Program& p, const MatrixProduct& of) {
    const auto work = [handle, of](gyre::CallContext& c) {
      constexpr std::size_t workspace = 4 << 20;
      const float one = 1;
      const float old = of.adds ? 1 : 0;
      const int rows = static_cast<int>(c.count(of.y)) / of.outputs;
      const float* weights = c.ptr(of.weights) + std::int64_t{of.layer} * of.inputs * of.outputs;
      must_be(cublasSetStream(handle.get(), c.stream()));
      must_be(cublasSetWorkspace(handle.get(), c.temporary<char>(workspace), workspace));
      // Its matrices are column-major: there yᵀ = W xᵀ.
      must_be(cublasSgemm(handle.get(), CUBLAS_OP_T, CUBLAS_OP_N, of.outputs, rows, of.inputs, &one,
                          weights, of.inputs, c.ptr(of.x), of.inputs, &old, c.ptr(of.y),
                          of.outputs));
    };
    if (of.adds) {
      p.call("product", reads(of.x, of.weights), updates(of.y), work);
    } else {
      p.call("product", reads(of.x, of.weights), writes(of.y), work);
    }
  };
}

}  // namespace forwards
