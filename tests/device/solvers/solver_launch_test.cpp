/// Solves on a caller's stream with everything in device memory.
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

      auto launch = solver.launch(span_of(rhs), span_of(x), stream.get(), {.rtol = 1e-6});
      const auto result = launch.result();

      EXPECT_EQ(result.reason, Reason::ConvergedRtol) << method;
      EXPECT_EQ(result.iterations, told.iterations) << method;
      EXPECT_EQ(result.host_syncs, 0U) << method;
      EXPECT_EQ(x.read(), expected) << method;
    }
  }
}

}  // namespace
}  // namespace gyre::solvers
