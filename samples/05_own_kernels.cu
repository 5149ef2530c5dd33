// Conjugate gradients from work of your own: cuSPARSE multiplies, cuBLAS takes the dot products, a
// kernel of this file steps. Each is recorded once; the GPU then runs the whole loop by itself.
#include "laplacian.hpp"
#include "spmv.hpp"

#include <gyre/gyre.hpp>

#include <cstdio>
#include <vector>

#include <cublas_v2.h>

using gyre::CallContext, gyre::reads, gyre::updates, gyre::writes;

// x += alpha p, r -= alpha q
__global__ void step(long long n, const double* alpha, const double* p, const double* q, double* x,
                     double* r) {
  const long long i = blockIdx.x * 256LL + threadIdx.x;
  if (i >= n) return;
  x[i] += *alpha * p[i];
  r[i] -= *alpha * q[i];
}

gyre::ir::Program conjugate_gradients(cublasHandle_t blas, cusparseHandle_t sparse) {
  gyre::Program cg("cg");
  auto n = cg.size("n"), nnz = cg.size("nnz");
  auto row = cg.in<std::int32_t>("row", {n + 1}), col = cg.in<std::int32_t>("col", {nnz});
  auto val = cg.in<double>("val", {nnz}), b = cg.in<double>("b", {n});
  auto x = cg.inout<double>("x", {n});
  auto r = cg.temp<double>("r", {n}), p = cg.temp<double>("p", {n}), q = cg.temp<double>("q", {n});
  auto rr = cg.out<double>("rr");
  auto next = cg.var("next", 0.0), pq = cg.var("pq", 0.0), alpha = cg.var("alpha", 0.0);
  auto trips = cg.out("trips", 0);

  const auto dot = [&](auto u, auto v, auto result) {
    cg.call("dot", reads(u, v), writes(result), [=](CallContext& c) {
      must(cublasSetStream(blas, c.stream()));
      must(cublasSetWorkspace(blas, c.temporary<char>(1 << 22), 1 << 22));
      must(cublasDdot(blas, int(c.count(u)), c.ptr(u), 1, c.ptr(v), 1, c.ptr(result)));
    });
  };

  cg.foreach(0, n, [&](auto i) {
    r[i] = b[i];
    p[i] = b[i];
  });
  dot(r, r, rr);
  auto stop2 = cg.let("stop2", 1e-20 * rr);
  cg.while_(rr > stop2 && trips < 1000, [&] {
    cg.call("spmv", reads(row, col, val, p), writes(q), [=](CallContext& c) {
      spmv(sparse, c.stream(), {c.count(p), c.count(val), c.ptr(row), c.ptr(col), c.ptr(val)},
           c.ptr(p), c.ptr(q), [&](std::size_t bytes) { return c.temporary<char>(bytes); });
    });
    dot(p, q, pq);
    alpha = rr / pq;
    cg.call("step", reads(alpha, p, q), updates(x, r), [=](CallContext& c) {
      step<<<c.count(x) / 256 + 1, 256, 0, c.stream()>>>(c.count(x), c.ptr(alpha), c.ptr(p),
                                                         c.ptr(q), c.ptr(x), c.ptr(r));
    });
    dot(r, r, next);
    cg.foreach(0, n, [&](auto i) { p[i] = r[i] + next / rr * p[i]; });
    rr = next;
    trips += 1;
  });
  return cg.finish();
}

int main() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    std::puts("skipped: this machine has no GPU");
    return 77;
  }
  cublasHandle_t blas;
  cusparseHandle_t sparse;
  must(cublasCreate(&blas));
  must(cublasSetPointerMode(blas, CUBLAS_POINTER_MODE_DEVICE));
  must(cusparseCreate(&sparse));
  Laplacian a(64);
  std::vector<double> b(a.rows(), 1.0), x(a.rows());

  auto cg = gyre::compile(conjugate_gradients(blas, sparse));
  cg.bind("row", a.row);
  cg.bind("col", a.col);
  cg.bind("val", a.val);
  cg.bind("b", b);
  cg.bind("x", x);
  const auto result = cg.run();

  std::printf("%s: %s after %d trips, true residual %.2e\n", std::string(cg.executor()).c_str(),
              result.describe().c_str(), result.get<int>("trips"), a.residual(b, x));
  return result.completed() && a.residual(b, x) < 1e-9 ? 0 : 1;
}
