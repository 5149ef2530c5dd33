/// Libraries in calls: what they want as memory comes from the context.
#include "call_test.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include <cublas_v2.h>
#include <cusparse.h>

namespace gyre {
namespace {

using gyre::must;

void must(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(cublasGetStatusString(status));
}

void must(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw std::runtime_error(cusparseGetErrorString(status));
}

std::shared_ptr<cublasContext> make_cublas() {
  cublasHandle_t handle = nullptr;
  must(cublasCreate(&handle));
  return {handle, cublasDestroy};
}

std::shared_ptr<cusparseContext> make_cusparse() {
  cusparseHandle_t handle = nullptr;
  must(cusparseCreate(&handle));
  return {handle, cusparseDestroy};
}

/// Puts the handle's work on the call's stream, its workspace into the call's memory, and its
/// scalars onto the device.
void use(cublasHandle_t handle, const CallContext& c) {
  constexpr std::size_t workspace = std::size_t{32} << 20;
  must(cublasSetStream(handle, c.stream()));
  must(cublasSetWorkspace(handle, c.temporary<char>(workspace), workspace));
  must(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
}

class Libraries : public CallTest {};

TEST_P(Libraries, DotOfAFreshCublasHandleDecidesALoop) {
  const auto blas = make_cublas();
  Program p("shrink");
  auto n = p.size("n");
  auto x = p.inout<double>("x", {n});
  auto xx = p.out<double>("xx");
  auto trips = p.out("trips", 0);
  p.do_([&] {
     p.foreach(0, n, [&](auto i) { x[i] *= 0.5; });
     p.call("dot", reads(x), writes(xx), [=](CallContext& c) {
       use(blas.get(), c);
       must(cublasDdot(blas.get(), static_cast<int>(c.count(x)), c.ptr(x), 1, c.ptr(x), 1,
                       c.ptr(xx)));
     });
     trips += 1;
   }).while_(xx > 1);
  Executable shrink = compile_here(p);

  for (int launch = 0; launch < 2; ++launch) {
    std::vector<double> x_of_launch(4096, 1);
    shrink.bind("x", x_of_launch);
    const Result result = shrink.run();

    // 4096 / 4^trips
    EXPECT_EQ(result.get<std::int32_t>("trips"), 6);
    EXPECT_DOUBLE_EQ(result.get<double>("xx"), 1);
  }
}

TEST_P(Libraries, GemvTakesItsFactorsFromScalars) {
  const auto blas = make_cublas();
  Program p("gemv");
  auto n = p.size("n");
  auto a = p.in<double>("a", {n, n});
  auto x = p.inout<double>("x", {n});
  auto y = p.temp<double>("y", {n});
  auto one = p.in("one", 1.0);
  auto zero = p.in("zero", 0.0);
  p.for_(0, 3, [&](auto) {
    p.call("gemv", reads(a, x, one, zero), writes(y), [=](CallContext& c) {
      use(blas.get(), c);
      const int size = static_cast<int>(c.count(x));
      // Row-major here is transposed there.
      must(cublasDgemv(blas.get(), CUBLAS_OP_T, size, size, c.ptr(one), c.ptr(a), size, c.ptr(x), 1,
                       c.ptr(zero), c.ptr(y), 1));
    });
    p.copy(x, y);
  });
  Executable gemv = compile_here(p);
  const std::vector<double> matrix = {0, 1, 0, 0, 0, 1, 1, 0, 0};
  std::vector<double> v = {1, 2, 3};
  gemv.bind("a", matrix, {3, 3});
  gemv.bind("x", v);

  gemv.run();
  EXPECT_EQ(v, (std::vector<double>{1, 2, 3}));
  gemv.run();

  EXPECT_EQ(v, (std::vector<double>{1, 2, 3}));
}

TEST_P(Libraries, AHundredCompilesWithOneCublasHandleKeepMemoryFlat) {
  const auto blas = make_cublas();
  const auto compile_and_run = [&] {
    Program p("norm");
    auto n = p.size("n");
    auto x = p.in<double>("x", {n});
    auto xx = p.out<double>("xx");
    p.call("dot", reads(x), writes(xx), [=](CallContext& c) {
      use(blas.get(), c);
      must(cublasDdot(blas.get(), static_cast<int>(c.count(x)), c.ptr(x), 1, c.ptr(x), 1,
                      c.ptr(xx)));
    });
    Executable norm = compile_here(p);
    const std::vector<double> ones(1000, 1);
    norm.bind("x", ones);
    EXPECT_EQ(norm.run().get<double>("xx"), 1000);
  };
  // What is loaded and cached once.
  for (int i = 0; i < 3; ++i) compile_and_run();
  const std::size_t before = free_bytes();

  for (int i = 0; i < 100; ++i) compile_and_run();

  EXPECT_GE(free_bytes() + (std::size_t{2} << 20), before);
}

/// y = A x or Aᵀ x, with a descriptor and a buffer of its own.
void spmv(cusparseHandle_t handle, CallContext& c, cusparseOperation_t operation, std::int64_t rows,
          std::int64_t columns, const builder::Buffer<std::int32_t>& row,
          const builder::Buffer<std::int32_t>& col, const builder::Buffer<double>& val,
          const builder::Buffer<double>& x, const builder::Buffer<double>& y,
          const builder::Scalar<double>& one, const builder::Scalar<double>& zero) {
  must(cusparseSetStream(handle, c.stream()));
  must(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseDnVecDescr_t from = nullptr;
  cusparseDnVecDescr_t to = nullptr;
  must(cusparseCreateCsr(&matrix, rows, columns, c.count(val), c.ptr(row), c.ptr(col), c.ptr(val),
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                         CUDA_R_64F));
  must(cusparseCreateDnVec(&from, c.count(x), c.ptr(x), CUDA_R_64F));
  must(cusparseCreateDnVec(&to, c.count(y), c.ptr(y), CUDA_R_64F));
  std::size_t bytes = 0;
  must(cusparseSpMV_bufferSize(handle, operation, c.ptr(one), matrix, from, c.ptr(zero), to,
                               CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
  must(cusparseSpMV(handle, operation, c.ptr(one), matrix, from, c.ptr(zero), to, CUDA_R_64F,
                    CUSPARSE_SPMV_ALG_DEFAULT, c.temporary<char>(bytes)));
  must(cusparseDestroyDnVec(to));
  must(cusparseDestroyDnVec(from));
  must(cusparseDestroySpMat(matrix));
}

TEST_P(Libraries, SpmvOfAMatrixAndItsTransposeInOneCall) {
  const auto sparse = make_cusparse();
  Program p("normal");
  auto n = p.size("n");
  auto m = p.size("m");
  auto nnz = p.size("nnz");
  auto row = p.in<std::int32_t>("row", {n + 1});
  auto col = p.in<std::int32_t>("col", {nnz});
  auto val = p.in<double>("val", {nnz});
  auto x = p.inout<double>("x", {m});
  auto y = p.inout<double>("y", {n});
  auto one = p.in("one", 1.0);
  auto zero = p.in("zero", 0.0);
  p.for_(0, 2, [&](auto) {
    p.call("normal", reads(row, col, val, one, zero), updates(x, y), [=](CallContext& c) {
      spmv(sparse.get(), c, CUSPARSE_OPERATION_NON_TRANSPOSE, c.count(y), c.count(x), row, col, val,
           x, y, one, zero);
      spmv(sparse.get(), c, CUSPARSE_OPERATION_TRANSPOSE, c.count(y), c.count(x), row, col, val, y,
           x, one, zero);
    });
  });
  Executable normal = compile_here(p);
  // [1 2 0]
  // [0 0 3]
  const std::vector<std::int32_t> rows = {0, 2, 3};
  const std::vector<std::int32_t> columns = {0, 1, 2};
  const std::vector<double> values = {1, 2, 3};
  std::vector<double> from = {1, 1, 1};
  std::vector<double> to(2);
  normal.bind("row", rows);
  normal.bind("col", columns);
  normal.bind("val", values);
  normal.bind("x", from);
  normal.bind("y", to);

  normal.run();

  // Aᵀ A = [1 2 0; 2 4 0; 0 0 9]; x: (1 1 1), (3 6 9), (15 30 81).
  EXPECT_EQ(from, (std::vector<double>{15, 30, 81}));
  EXPECT_EQ(to, (std::vector<double>{15, 27}));
}

INSTANTIATE_TEST_SUITE_P(Calls, Libraries, testing::Values("device_graph", "host_branch"),
                         executor_name);

}  // namespace
}  // namespace gyre
