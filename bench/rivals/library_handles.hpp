/// cuBLAS and cuSPARSE as their rivals use them: errors as exceptions, and the product with a
/// matrix.
#pragma once

#include "gyre/base/error.hpp"
#include "support/device_system.hpp"

#include <string>

#include <cublas_v2.h>
#include <cusparse.h>

namespace gyre::bench::rivals {

/// EnvironmentError, with the library's own words, unless `status` is success.
inline void must(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw EnvironmentError(std::string("cuBLAS: ") + cublasGetStatusString(status));
  }
}

inline void must(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) {
    throw EnvironmentError(std::string("cuSPARSE: ") + cusparseGetErrorString(status));
  }
}

/// y = A x, with what cuSPARSE wants to be told once.
class Product {
 public:
  Product(const DeviceSystem& system, const DeviceArray<double>& x, const DeviceArray<double>& y,
          cudaStream_t stream) {
    must(cusparseCreate(&handle_));
    must(cusparseSetStream(handle_, stream));
    must(cusparseCreateCsr(&matrix_, system.rows(), system.rows(), system.entries(),
                           system.row.data(), system.col.data(), system.val.data(),
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_64F));
    must(cusparseCreateDnVec(&from_, system.rows(), x.data(), CUDA_R_64F));
    must(cusparseCreateDnVec(&to_, system.rows(), y.data(), CUDA_R_64F));
    std::size_t bytes = 0;
    must(cusparseSpMV_bufferSize(handle_, operation, &one, matrix_, from_, &zero, to_, CUDA_R_64F,
                                 CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    buffer_ = DeviceArray<char>(bytes);
    must(cusparseSpMV_preprocess(handle_, operation, &one, matrix_, from_, &zero, to_, CUDA_R_64F,
                                 CUSPARSE_SPMV_ALG_DEFAULT, buffer_.data()));
  }
  ~Product() {
    cusparseDestroyDnVec(to_);
    cusparseDestroyDnVec(from_);
    cusparseDestroySpMat(matrix_);
    cusparseDestroy(handle_);
  }
  Product(const Product&) = delete;
  Product& operator=(const Product&) = delete;

  /// Puts it on the stream.
  void put() const {
    must(cusparseSpMV(handle_, operation, &one, matrix_, from_, &zero, to_, CUDA_R_64F,
                      CUSPARSE_SPMV_ALG_DEFAULT, buffer_.data()));
  }
  /// The same of other vectors of that length.
  void put(const double* x, double* y) const {
    must(cusparseDnVecSetValues(from_, const_cast<double*>(x)));
    must(cusparseDnVecSetValues(to_, y));
    put();
  }

 private:
  static constexpr auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr double one = 1;
  static constexpr double zero = 0;

  cusparseHandle_t handle_ = nullptr;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t from_ = nullptr;
  cusparseDnVecDescr_t to_ = nullptr;
  DeviceArray<char> buffer_;
};

}  // namespace gyre::bench::rivals
