/// Dense layers by cuBLASLt: product, bias and relu in one call.
#pragma once

#include "dense_kernels.hpp"

#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#include <cublasLt.h>

namespace forwards {

/// Remembers for each shape how it is multiplied, so that a launch costs no search.
class DenseLibrary {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{4} << 20;

  DenseLibrary() {
    cublasLtHandle_t handle = nullptr;
    must(cublasLtCreate(&handle));
    handle_ = {handle, cublasLtDestroy};
  }

  /// Puts y = f(x Wᵀ + b) of all rows on the stream. `workspace` is memory of the GPU.
  void put(cudaStream_t stream, void* workspace, const DenseArrays& d) {
    const Multiplication& how = find(d);
    must(cublasLtMatmulDescSetAttribute(how.operation.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                                        &d.b, sizeof d.b));
    const float one = 1;
    const float zero = 0;
    must(cublasLtMatmul(handle_.get(), how.operation.get(), &one, d.w, how.w.get(), d.x,
                        how.x.get(), &zero, d.y, how.y.get(), d.y, how.y.get(), &how.algorithm,
                        workspace, workspace_bytes, stream));
  }

 private:
  template <class Handle>
  using Owned = std::shared_ptr<std::remove_pointer_t<Handle>>;

  struct Multiplication {
    Owned<cublasLtMatmulDesc_t> operation;
    Owned<cublasLtMatrixLayout_t> w, x, y;
    cublasLtMatmulAlgo_t algorithm;
  };

  static void must(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasLtGetStatusString(status));
  }

  static Owned<cublasLtMatrixLayout_t> layout(std::int64_t rows, std::int64_t columns) {
    cublasLtMatrixLayout_t made = nullptr;
    must(cublasLtMatrixLayoutCreate(&made, CUDA_R_32F, static_cast<std::uint64_t>(rows),
                                    static_cast<std::uint64_t>(columns), rows));
    return {made, cublasLtMatrixLayoutDestroy};
  }

  // What is row-major here is transposed there: yᵀ = Wᵀᵀ xᵀ.
  const Multiplication& find(const DenseArrays& d) {
    const auto key = std::tuple(d.rows, d.outputs, d.inputs, d.relu);
    const auto found = known_.find(key);
    if (found != known_.end()) return found->second;
    cublasLtMatmulDesc_t operation = nullptr;
    must(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F));
    Multiplication how{{operation, cublasLtMatmulDescDestroy},
                       layout(d.inputs, d.outputs),
                       layout(d.inputs, d.rows),
                       layout(d.outputs, d.rows),
                       {}};
    const auto transposed = CUBLAS_OP_T;
    const auto epilogue = d.relu ? CUBLASLT_EPILOGUE_RELU_BIAS : CUBLASLT_EPILOGUE_BIAS;
    must(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &transposed,
                                        sizeof transposed));
    must(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                        sizeof epilogue));
    choose_algorithm(how);
    return known_.emplace(key, how).first->second;
  }

  void choose_algorithm(Multiplication& how) const {
    cublasLtMatmulPreference_t preference = nullptr;
    must(cublasLtMatmulPreferenceCreate(&preference));
    const Owned<cublasLtMatmulPreference_t> owned(preference, cublasLtMatmulPreferenceDestroy);
    must(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                              &workspace_bytes, sizeof workspace_bytes));
    cublasLtMatmulHeuristicResult_t best{};
    int count = 0;
    must(cublasLtMatmulAlgoGetHeuristic(handle_.get(), how.operation.get(), how.w.get(),
                                        how.x.get(), how.y.get(), how.y.get(), preference, 1, &best,
                                        &count));
    if (count == 0) throw std::runtime_error("cuBLASLt knows no way to multiply this");
    how.algorithm = best.algo;
  }

  Owned<cublasLtHandle_t> handle_;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t, bool>, Multiplication> known_;
};

}  // namespace forwards
