// A solver inside a caller's CUDA graph: the stream is being captured, and the launch becomes part
// of the capture, its loop included. The graph then replays with whatever its memory holds.
#include "cuda_check.hpp"

#include <gyre/gyre.hpp>

#include <cmath>
#include <cstdio>

// Newton's method for the square root of every element of a; as many trips as the worst one needs.
constexpr auto text = R"(
program roots(n: size) {
  in  a: f64[n]
  out x: f64[n], trips: i32 = 0
  var worst: f64 = 1.0
  foreach i in 0..n { x[i] = max(a[i], 1.0) }
  while worst > 1e-12 {
    foreach i in 0..n { x[i] = 0.5 * (x[i] + a[i] / x[i]) }
    worst = max(i in 0..n) (abs(x[i] * x[i] - a[i]) / a[i])
    trips += 1
  }
}
)";

int main() {
  skip_without_gpu("device_graph");
  constexpr int n = 1000;
  double* a = allocate<double>(n);
  double* x = allocate<double>(n);
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));

  auto roots = gyre::compile(gyre::parse_program("roots.gyre", text), {.executor = "device_graph"});
  roots.bind("a", a, {n});
  roots.bind("x", x, {n});

  // What stands before and behind the launch is the caller's own.
  double* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, n * sizeof(double)));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(a, pinned, n * sizeof(double), cudaMemcpyHostToDevice, stream));
  auto part = roots.launch(stream);
  CHECK(cudaMemcpyAsync(pinned, x, n * sizeof(double), cudaMemcpyDeviceToHost, stream));
  cudaGraph_t graph = nullptr;
  CHECK(cudaStreamEndCapture(stream, &graph));
  cudaGraphExec_t exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));

  bool right = true;
  for (const double square : {4.0, 9.0, 1e6}) {
    for (int i = 0; i < n; ++i) pinned[i] = square;
    CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::printf("root of %g: %.12g after %d trips\n", square, pinned[n - 1],
                part.result().get<int>("trips"));
    right = right && std::abs(pinned[0] * pinned[0] - square) <= 1e-12 * square;
  }
  return right ? 0 : 1;
}
