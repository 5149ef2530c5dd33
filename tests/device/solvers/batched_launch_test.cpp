/// Batches on a caller's stream with everything in device memory.
#include "device/executors/device_vector.hpp"
#include "gyre/cuda/stream.hpp"
#include "gyre/solvers/batched_solver.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace gyre::solvers {
namespace {

template <class T>
std::span<T> batch_span(const DeviceVector<T>& memory) {
  return {memory.data(), static_cast<std::size_t>(memory.extents()[0])};
}

using BatchOnAStream = DeviceGraphTest;

TEST_F(BatchOnAStream, SolvesFromDeviceMemoryWithTheBitsOfTheHost) {
  constexpr std::int64_t systems = 300;
  constexpr std::int64_t n = 33;
  std::vector<double> val(systems * n * n);
  std::vector<double> b(systems * n);
  for (std::int64_t s = 0; s < systems; ++s) {
    for (std::int64_t i = 0; i < n; ++i) {
      for (const std::int64_t j : {i - 1, i, i + 1}) {
        if (j < 0 || j >= n) continue;
        val[static_cast<std::size_t>((s * n + i) * n + j)] =
            i == j ? 2 + 0.01 * static_cast<double>(s) : -1;
      }
      b[static_cast<std::size_t>(s * n + i)] = static_cast<double>((s + i) % 7) - 3;
    }
  }
  const std::vector<double> zero(b.size());
  BatchedOptions on_host;
  on_host.compile.executor = "cpu";
  BatchedSolver reference(dense_batch(DenseBatch{systems, n, val}), on_host);
  std::vector<double> expected = zero;
  const BatchedResult told = reference.solve(b, expected);

  const DeviceVector<double> device_val(val);
  const DeviceVector<double> device_b(b);
  const DeviceVector<double> x(zero);
  const cuda::Stream stream;
  BatchedOptions on_device;
  on_device.compile.executor = "device_graph";
  BatchedSolver solver(dense_batch(DenseBatch{systems, n, batch_span(device_val), Layout::Columns}),
                       on_device);
  for (int launches = 0; launches < 2; ++launches) {
    x.write(zero);

    auto launch = solver.solve(batch_span(device_b), batch_span(x), stream.get());
    const BatchedResult result = launch.result();

    EXPECT_EQ(result.host_syncs, 0U);
    EXPECT_EQ(x.read(), expected);
    EXPECT_EQ(result.iterations, told.iterations);
    EXPECT_EQ(result.residuals, told.residuals);
    EXPECT_TRUE(result.all_converged());
  }
}

// The one that returned at once may still run when the next begins.
TEST_F(BatchOnAStream, KeepsItsOutcomeWhereTheSolverSolvesOn) {
  constexpr std::int64_t systems = 400;
  constexpr std::int64_t n = 64;
  std::vector<double> val(systems * n * n);
  for (std::int64_t s = 0; s < systems; ++s) {
    for (std::int64_t i = 0; i < n; ++i) {
      val[static_cast<std::size_t>((s * n + i) * n + i)] = static_cast<double>(1 + i);
    }
  }
  const std::vector<double> zero(systems * n);
  const DeviceVector<double> device_val(val);
  const DeviceVector<double> b(std::vector<double>(systems * n, 1.0));
  const DeviceVector<double> nothing(zero);
  const DeviceVector<double> x(zero);
  const DeviceVector<double> other_x(zero);
  const cuda::Stream stream;
  BatchedOptions options;
  options.compile.executor = "device_graph";
  BatchedSolver solver(dense_batch(DenseBatch{systems, n, batch_span(device_val), Layout::Columns}),
                       options);

  auto launch = solver.solve(batch_span(b), batch_span(x), stream.get());
  const BatchedResult next = solver.solve(batch_span(nothing), batch_span(other_x));

  EXPECT_EQ(next.iterations, std::vector<std::int64_t>(systems, 0));
  EXPECT_TRUE(launch.result().all_converged());
  for (const std::int64_t trips : launch.result().iterations) EXPECT_GT(trips, 1);
}

}  // namespace
}  // namespace gyre::solvers
