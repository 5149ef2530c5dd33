// The C++ of docs/embedding.md and docs/calls.md that is CUDA's too: it compiles, which is all that
// is asked of it. tests/device/ runs such work.
#include <gyre/gyre.hpp>
#include <gyre/libraries/cub.hpp>

#include <cstdint>
#include <cstdlib>
#include <span>

#include <cublas_v2.h>
#include <cuda_runtime.h>

namespace {

using namespace gyre;

void must(cublasStatus_t status) {
  if (status != CUBLAS_STATUS_SUCCESS) std::abort();
}

__global__ void consume(const float*) {}
__global__ void step(const unsigned* guard, double* x) {
  if (*guard == 0) return;
  x[threadIdx.x] += 1;
}
__global__ void my_spmv(const std::int32_t*, const std::int32_t*, const double*, const double*,
                        double*) {}
void my_spmv_on_host(std::span<const std::int32_t>, std::span<const std::int32_t>,
                     std::span<const double>, std::span<const double>, std::span<double>) {}

float* allocated(std::size_t count) {
  void* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(float));
  return static_cast<float*>(memory);
}

}  // namespace

Executable with_cub(const ir::Program& program) {
  auto executable =
      gyre::compile(program, {.executor = "device_graph", .library = gyre::libraries::cub()});
  return executable;
}

void launch_on_a_stream(Executable& executable, cudaStream_t stream, int grid, int block) {
  float* x = allocated(1000);
  executable.bind("x", x, {1000});
  auto launch = executable.launch(stream);
  consume<<<grid, block, 0, stream>>>(x);
  launch.result();
}

cudaGraph_t launch_into_a_capture(Executable& executable, cudaStream_t stream, const float* x,
                                  int grid, int block) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  auto part = executable.launch(stream);
  consume<<<grid, block, 0, stream>>>(x);
  cudaStreamEndCapture(stream, &graph);
  return graph;
}

ir::Program with_calls(cublasHandle_t blas, int grid, int block) {
  Program p("calls");
  auto n = p.size("n"), nnz = p.size("nnz");
  auto row = p.in<std::int32_t>("row", {n + 1}), col = p.in<std::int32_t>("col", {nnz});
  auto val = p.in<double>("val", {nnz});
  auto x = p.inout<double>("x", {n}), y = p.inout<double>("y", {n});
  auto rr = p.out("rr", 1.0);
  auto stop2 = p.in("stop2", 1e-6);

  p.while_(rr > stop2, [&] {
    p.call(
        "spmv", reads(row, col, val, x), writes(y),
        [=](CallContext& c) {
          my_spmv<<<grid, block, 0, c.stream()>>>(c.ptr(row), c.ptr(col), c.ptr(val), c.ptr(x),
                                                  c.ptr(y));
        },
        [=](HostCallContext& c) {
          my_spmv_on_host(c.span(row), c.span(col), c.span(val), c.span(x), c.span(y));
        });
    rr = sum(0, n, [&](auto i) { return y[i] * y[i]; });
  });

  p.call("step", updates(x), [=](CallContext& c) {
     step<<<grid, block, 0, c.stream()>>>(c.guard(), c.ptr(x));
   }).guarded();

  p.call("dot", reads(x, y), writes(rr), [=](CallContext& c) {
    must(cublasSetStream(blas, c.stream()));
    must(cublasSetWorkspace(blas, c.temporary<char>(4 << 20), 4 << 20));
    must(cublasDdot(blas, static_cast<int>(c.count(x)), c.ptr(x), 1, c.ptr(y), 1, c.ptr(rr)));
  });
  return p.finish();
}
