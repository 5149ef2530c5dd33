/// Solves on a caller's stream with everything in device memory, and solves that are watched.
#include "device/executors/device_vector.hpp"
#include "gyre/cuda/stream.hpp"
#include "gyre/solvers/solver.hpp"

#include <span>
#include <string>
#include <vector>

namespace gyre::solvers {
namespace {

// 2 on the diagonal and -1 beside it.
struct Chain {
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;
  std::vector<double> val;

  explicit Chain(std::int32_t n) {
    for (std::int32_t i = 0; i < n; ++i) {
      for (const std::int32_t j : {i - 1, i, i + 1}) {
        if (j < 0 || j >= n) continue;
        col.push_back(j);
        val.push_back(i == j ? 2 : -1);
      }
      row.push_back(static_cast<std::int32_t>(col.size()));
    }
  }
};

template <class T>
std::span<T> span_of(const DeviceVector<T>& memory) {
  return {memory.data(), static_cast<std::size_t>(memory.extents()[0])};
}

using SolverOnAStream = DeviceGraphTest;
// Needs a device that runs beside the host.
using WatchedSolver = DeviceGraphTest;

TEST_F(SolverOnAStream, SolvesFromDeviceMemoryWithTheBitsOfTheHost) {
  constexpr std::int32_t n = 24;
  const Chain chain(n);
  const DeviceVector<std::int32_t> row(chain.row);
  const DeviceVector<std::int32_t> col(chain.col);
  const DeviceVector<double> val(chain.val);
  const std::vector<double> zero(n, 0.0);
  const DeviceVector<double> x(zero);
  const cuda::Stream stream;

  for (const std::string method : {"cg", "bicgstab"}) {
    const SolverOptions options = {.method = method, .preconditioner = Preconditioner::Jacobi};
    SolverOptions on_device = options;
    on_device.compile.executor = "device_graph";
    SolverOptions on_host = options;
    on_host.compile.executor = "cpu";
    Solver solver(csr_matrix({n, span_of(row), span_of(col), span_of(val)}, Contents::Trust),
                  on_device);
    Solver reference({n, chain.row, chain.col, chain.val}, on_host);
    for (const double size : {1.0, -3.0}) {
      const std::vector<double> b(n, size);
      std::vector<double> expected = zero;
      const auto told = reference.solve(b, expected, {.rtol = 1e-6});
      const DeviceVector<double> rhs(b);
      x.write(zero);

      auto launch = solver.solve(span_of(rhs), span_of(x), stream.get(), {.rtol = 1e-6});
      const auto result = launch.result();

      EXPECT_EQ(result.reason, Reason::ConvergedRtol) << method;
      EXPECT_EQ(result.iterations, told.iterations) << method;
      EXPECT_EQ(result.host_syncs, 0U) << method;
      EXPECT_EQ(x.read(), expected) << method;
    }
  }
}

TEST_F(SolverOnAStream, KeepsItsHistoryOnTheDeviceAndReturnsAtOnceAllTheSame) {
  constexpr std::int32_t n = 24;
  const Chain chain(n);
  const DeviceVector<std::int32_t> row(chain.row);
  const DeviceVector<std::int32_t> col(chain.col);
  const DeviceVector<double> val(chain.val);
  const std::vector<double> b(n, 1.0);
  const DeviceVector<double> rhs(b);
  const std::vector<double> zero(n, 0.0);
  const DeviceVector<double> x(zero);
  const cuda::Stream stream;
  std::vector<double> expected = zero;
  Solver reference({n, chain.row, chain.col, chain.val},
                   {.history = 100, .compile = {.executor = "cpu"}});
  const auto told = reference.solve(b, expected);
  Solver solver("cg", csr_matrix({n, span_of(row), span_of(col), span_of(val)}, Contents::Trust),
                {.history = 100, .compile = {.executor = "device_graph"}});

  for (int i = 0; i < 3; ++i) {
    x.write(zero);
    const auto launch = solver.solve(span_of(rhs), span_of(x), stream.get());
    const auto& result = solver.result();

    EXPECT_EQ(result.reason, Reason::ConvergedRtol);
    EXPECT_EQ(result.host_syncs, 0U);
    EXPECT_EQ(result.history, told.history);
    EXPECT_EQ(x.read(), expected);
  }
}

TEST_F(SolverOnAStream, TellsAMonitorOfEachTripOnEveryExecutor) {
  constexpr std::int32_t n = 24;
  const Chain chain(n);
  const std::vector<double> b(n, 1.0);
  std::vector<double> expected;
  for (const std::string executor : {"cpu", "device_graph", "host_branch", "persistent"}) {
    Solver solver({n, chain.row, chain.col, chain.val},
                  {.history = 100, .compile = {.executor = executor}});
    std::vector<double> x(n, 0.0);
    std::vector<std::int64_t> trips;
    std::vector<double> residuals;

    const auto result = solver.solve(b, x, {}, [&](std::int64_t trip, double residual) {
      trips.push_back(trip);
      residuals.push_back(residual);
      return true;
    });

    if (expected.empty()) expected = result.history;
    EXPECT_EQ(result.reason, Reason::ConvergedRtol) << executor;
    EXPECT_EQ(result.history, expected) << executor;
    EXPECT_EQ(residuals, expected) << executor;
    ASSERT_EQ(trips.size(), expected.size()) << executor;
    for (std::size_t i = 0; i < trips.size(); ++i) {
      EXPECT_EQ(trips[i], static_cast<std::int64_t>(i)) << executor;
    }
  }
}

TEST_F(WatchedSolver, TellsItsMonitorWhileTheDeviceRuns) {
  constexpr std::int32_t n = 64;
  const Chain chain(n);
  const std::vector<double> b(n, 1.0);
  for (const std::string executor : {"device_graph", "host_branch", "persistent"}) {
    Solver solver({n, chain.row, chain.col, chain.val},
                  {.method = "richardson", .history = 64, .compile = {.executor = executor}});
    std::vector<double> x(n, 0.0);
    std::int64_t heard = 0;

    // So small a step takes it nowhere. With a limit: a loop that could not be cancelled would keep
    // the device.
    const auto result = solver.solve(
        b, x, {.rtol = 0, .max_trips = 20'000'000, .max_seconds = 15, .relaxation = 1e-9},
        [&](std::int64_t trip, double residual) {
          EXPECT_NEAR(residual, 8, 0.1) << executor;
          heard = trip;
          return trip < 20;
        });

    EXPECT_EQ(result.reason, Reason::Cancelled) << executor;
    EXPECT_GE(heard, 20) << executor;
    EXPECT_LT(result.iterations, 20'000'000) << executor;
  }
}

}  // namespace
}  // namespace gyre::solvers
