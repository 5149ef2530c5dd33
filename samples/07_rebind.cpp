// What may change between launches, and what it costs: contents cost nothing, a scalar is set,
// memory is bound anew. Nothing is compiled or instantiated again.
#include "cuda_check.hpp"

#include <gyre/gyre.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

constexpr auto text = R"(
program smooth(n: size) {
  in  x: f32[n]
  out y: f32[n]
  in  sweeps: i32
  temp t: f32[n]
  copy y = x
  for s in 0..sweeps {
    foreach i in 0..n {
      t[i] = 0.5 * y[i] + 0.25 * (y[max(i - 1, 0)] + y[min(i + 1, n - 1)])
    }
    copy y = t
  }
}
)";

int main() {
  skip_without_gpu("device_graph");
  constexpr int n = 4096;
  constexpr int buffers = 4;
  auto smooth = gyre::compile(gyre::parse_program("smooth.gyre", text),
                              {.executor = "device_graph", .overlap = gyre::Overlap::Queue});
  std::vector<float> peak(n);
  peak[n / 2] = 1;
  std::vector<float*> in;
  std::vector<float*> out;
  for (int i = 0; i < buffers; ++i) {
    in.push_back(allocate<float>(n));
    out.push_back(allocate<float>(n));
    CHECK(cudaMemcpy(in[i], peak.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  }
  smooth.bind("x", in[0], {n});
  smooth.bind("y", out[0], {n});
  smooth.set("sweeps", 1);
  smooth.prepare();
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));

  // Four pairs of buffers, each with a number of sweeps of its own, one behind the other.
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < buffers; ++i) {
    smooth.bind("x", in[i], {n});
    smooth.bind("y", out[i], {n});
    smooth.set("sweeps", i + 1);
    auto launch = smooth.launch(stream);
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  CHECK(cudaStreamSynchronize(stream));

  bool right = true;
  for (int i = 0; i < buffers; ++i) {
    std::vector<float> y(n);
    CHECK(cudaMemcpy(y.data(), out[i], n * sizeof(float), cudaMemcpyDeviceToHost));
    // After s sweeps the peak is binomial(2 s, s) / 4^s.
    const float expected[] = {0.5F, 0.375F, 0.3125F, 0.2734375F};
    std::printf("%d sweeps: %g\n", i + 1, y[n / 2]);
    right = right && y[n / 2] == expected[i];
  }
  std::printf("binding, setting and launching: %.1f us each\n", took.count() / buffers);
  return right ? 0 : 1;
}
