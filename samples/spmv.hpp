// y = A x by cuSPARSE, for a square matrix in CSR on the GPU.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include <cusparse.h>

inline void must(int status) {
  if (status != 0) throw std::runtime_error("a library failed with " + std::to_string(status));
}

struct Csr {
  std::int64_t rows, nonzeros;
  std::int32_t* row;
  std::int32_t* col;
  double* val;
};

// Descriptors are read when the product is put on the stream, and are not needed after that. Its
// buffer is: `memory(bytes)` gives one that lives on.
template <class Memory>
void spmv(cusparseHandle_t handle, cudaStream_t stream, const Csr& a, double* x, double* y,
          Memory memory) {
  constexpr auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  constexpr auto algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
  const double one = 1;
  const double zero = 0;
  cusparseSpMatDescr_t matrix;
  cusparseDnVecDescr_t from, to;
  must(cusparseCreateCsr(&matrix, a.rows, a.rows, a.nonzeros, a.row, a.col, a.val,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         CUDA_R_64F));
  must(cusparseCreateDnVec(&from, a.rows, x, CUDA_R_64F));
  must(cusparseCreateDnVec(&to, a.rows, y, CUDA_R_64F));
  std::size_t bytes = 0;
  must(cusparseSetStream(handle, stream));
  must(cusparseSpMV_bufferSize(handle, operation, &one, matrix, from, &zero, to, CUDA_R_64F,
                               algorithm, &bytes));
  must(cusparseSpMV(handle, operation, &one, matrix, from, &zero, to, CUDA_R_64F, algorithm,
                    memory(bytes)));
  must(cusparseDestroyDnVec(to));
  must(cusparseDestroyDnVec(from));
  must(cusparseDestroySpMat(matrix));
}
