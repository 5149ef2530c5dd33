/// What goes through rows by levels and by colours has the bits of the host on every executor of a
/// GPU: a level that read what the one before has not yet written would not.
#include "device/executors/device_vector.hpp"
#include "gyre/solvers/solver.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gyre::solvers {
namespace {

// Lines of points that are coupled along the line, and across as well if it is a grid.
struct System {
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;
  std::vector<double> val;

  System(std::int32_t lines, std::int32_t length, bool is_grid) {
    const std::int32_t n = lines * length;
    for (std::int32_t i = 0; i < n; ++i) {
      const auto add = [&](bool is_there, std::int32_t j, double value) {
        if (!is_there) return;
        col.push_back(j);
        val.push_back(value);
      };
      add(is_grid && i >= length, i - length, -1);
      add(i % length > 0, i - 1, -1);
      add(true, i, 4 + 0.125 * (i % 5));
      add(i % length + 1 < length, i + 1, -1);
      add(is_grid && i + length < n, i + length, -1);
      row.push_back(static_cast<std::int32_t>(col.size()));
    }
  }

  std::int64_t n() const { return static_cast<std::int64_t>(row.size()) - 1; }
};

struct ScheduledWay {
  std::string method;
  Preconditioner preconditioner = Preconditioner::None;
};

struct Told {
  SolveResult result;
  std::vector<double> x;
};

Told solve(const System& system, const ScheduledWay& way, const std::string& executor) {
  const std::vector<double> b(static_cast<std::size_t>(system.n()), 1.0);
  Told told{{}, std::vector<double>(b.size())};
  Solver solver({system.n(), system.row, system.col, system.val},
                {.method = way.method,
                 .preconditioner = way.preconditioner,
                 .compile = {.executor = executor}});
  told.result = solver.solve(std::span<const double>(b), std::span<double>(told.x),
                             {.rtol = 1e-9, .max_trips = 12});
  return told;
}

using ScheduledSolvers = DeviceGraphTest;

TEST_F(ScheduledSolvers, HaveTheBitsOfTheHost) {
  const std::vector<ScheduledWay> ways = {
      {"cg", Preconditioner::Ic0}, {"cg", Preconditioner::Ssor}, {"gauss_seidel"}};
  // One that sits on the chip as a whole, and one of which only the levels do.
  for (const System& system : {System(12, 12, true), System(128, 65, false)}) {
    for (const ScheduledWay& way : ways) {
      const Told expected = solve(system, way, "cpu");
      for (const std::string executor : {"device_graph", "persistent"}) {
        SCOPED_TRACE(way.method + " with " + std::string(name_of(way.preconditioner)) + " on " +
                     executor + ", " + std::to_string(system.n()) + " rows");

        const Told told = solve(system, way, executor);

        EXPECT_EQ(told.result.reason, expected.result.reason);
        EXPECT_EQ(told.result.iterations, expected.result.iterations);
        EXPECT_EQ(told.x, expected.x);
        EXPECT_EQ(told.result.host_syncs, 0U);
      }
    }
  }
}

}  // namespace
}  // namespace gyre::solvers
