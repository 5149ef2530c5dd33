#include "gyre/base/error.hpp"
#include "rivals/library_triangles.hpp"

#include <string>

#include <cusparse.h>

namespace gyre::bench::rivals {
namespace {

void must(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) {
    throw EnvironmentError(std::string("cuSPARSE: ") + cusparseGetErrorString(status));
  }
}

// to = T⁻¹ from, with a descriptor and a buffer of its own.
class Triangle {
 public:
  Triangle(cusparseHandle_t handle, cusparseFillMode_t fill, cusparseDiagType_t diagonal,
           std::int64_t n, const DeviceArray<std::int32_t>& row,
           const DeviceArray<std::int32_t>& col, const DeviceArray<double>& val, double* from,
           double* to)
      : handle_(handle) {
    must(cusparseCreateCsr(&matrix_, n, n, static_cast<std::int64_t>(col.size()), row.data(),
                           col.data(), val.data(), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_BASE_ZERO, CUDA_R_64F));
    must(cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof(fill)));
    must(cusparseSpMatSetAttribute(matrix_, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal, sizeof(diagonal)));
    must(cusparseCreateDnVec(&from_, n, from, CUDA_R_64F));
    must(cusparseCreateDnVec(&to_, n, to, CUDA_R_64F));
    must(cusparseSpSV_createDescr(&descriptor_));
    std::size_t bytes = 0;
    must(cusparseSpSV_bufferSize(handle_, operation, &one, matrix_, from_, to_, CUDA_R_64F,
                                 CUSPARSE_SPSV_ALG_DEFAULT, descriptor_, &bytes));
    buffer_ = DeviceArray<char>(bytes);
    must(cusparseSpSV_analysis(handle_, operation, &one, matrix_, from_, to_, CUDA_R_64F,
                               CUSPARSE_SPSV_ALG_DEFAULT, descriptor_, buffer_.data()));
  }
  ~Triangle() {
    cusparseSpSV_destroyDescr(descriptor_);
    cusparseDestroyDnVec(to_);
    cusparseDestroyDnVec(from_);
    cusparseDestroySpMat(matrix_);
  }
  Triangle(const Triangle&) = delete;
  Triangle& operator=(const Triangle&) = delete;

  void put() const {
    must(cusparseSpSV_solve(handle_, operation, &one, matrix_, from_, to_, CUDA_R_64F,
                            CUSPARSE_SPSV_ALG_DEFAULT, descriptor_));
  }

 private:
  static constexpr auto operation = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr double one = 1;

  cusparseHandle_t handle_;
  cusparseSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t from_ = nullptr;
  cusparseDnVecDescr_t to_ = nullptr;
  cusparseSpSVDescr_t descriptor_ = nullptr;
  DeviceArray<char> buffer_;
};

class SpSvTriangles final : public LibraryTriangles {
 public:
  SpSvTriangles(const Factors& factors, const DeviceArray<double>& r, const DeviceArray<double>& z,
                cudaStream_t stream)
      : row_(factors.row), col_(factors.col), val_(factors.val), y_(r.size()) {
    must(cusparseCreate(&handle_));
    must(cusparseSetStream(handle_, stream));
    const auto triangle = [&](cusparseFillMode_t fill, cusparseDiagType_t diagonal, double* from,
                              double* to) {
      return std::make_unique<Triangle>(handle_, fill, diagonal, factors.rows(), row_, col_, val_,
                                        from, to);
    };
    lower_ = triangle(CUSPARSE_FILL_MODE_LOWER, CUSPARSE_DIAG_TYPE_UNIT, r.data(), y_.data());
    upper_ = triangle(CUSPARSE_FILL_MODE_UPPER, CUSPARSE_DIAG_TYPE_NON_UNIT, y_.data(), z.data());
  }
  ~SpSvTriangles() override {
    upper_.reset();
    lower_.reset();
    cusparseDestroy(handle_);
  }

  void put() override {
    lower_->put();
    upper_->put();
  }

 private:
  DeviceArray<std::int32_t> row_;
  DeviceArray<std::int32_t> col_;
  DeviceArray<double> val_;
  DeviceArray<double> y_;
  cusparseHandle_t handle_ = nullptr;
  std::unique_ptr<Triangle> lower_;
  std::unique_ptr<Triangle> upper_;
};

}  // namespace

std::unique_ptr<LibraryTriangles> make_library_triangles(const Factors& factors,
                                                         const DeviceArray<double>& r,
                                                         const DeviceArray<double>& z,
                                                         cudaStream_t stream) {
  return std::make_unique<SpSvTriangles>(factors, r, z, stream);
}

}  // namespace gyre::bench::rivals
