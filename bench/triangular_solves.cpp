// What does it cost to apply incomplete factors, level by level in a program and by cuSPARSE?
//
// The matrix is the five-point Laplacian of a square, its factors ILU(0), in f64. For gyre an
// application is what a trip of Richardson's iteration costs more with ilu0 than without a
// preconditioner; for cuSPARSE it is both SpSV calls of a stream that holds many of them, by the
// clock of the GPU. Each is the median of several runs.
#include "gyre/base/error.hpp"
#include "gyre/solvers/solver.hpp"
#include "support/device_clock.hpp"
#include "support/five_point.hpp"
#include "support/report.hpp"
#ifdef GYRE_BENCH_HAS_LIBRARIES
#include "rivals/library_triangles.hpp"
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
namespace solvers = gyre::solvers;

// The values of L and U in place of those of A. Only the diagonal changes: a row has no entry in
// common with those above it but that.
std::vector<double> factors_of(const bench::HostSystem& system) {
  std::vector<double> val = system.val;
  std::vector<double> pivot(static_cast<std::size_t>(system.n()));
  for (std::size_t i = 0; i < pivot.size(); ++i) {
    const auto at = static_cast<std::int32_t>(i);
    double eliminated = 0;
    for (std::int32_t k = system.row[i]; k < system.row[i + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      if (system.col[entry] < at) {
        val[entry] /= pivot[static_cast<std::size_t>(system.col[entry])];
        eliminated += val[entry];
      }
      if (system.col[entry] == at) pivot[i] = val[entry] += eliminated;
    }
  }
  return val;
}

// U⁻¹ L⁻¹ b, row by row.
std::vector<double> solved(const bench::HostSystem& system, const std::vector<double>& factors) {
  std::vector<double> z = system.b;
  const auto less = [&](std::size_t i, bool below) {
    double pivot = 1;
    for (std::int32_t k = system.row[i]; k < system.row[i + 1]; ++k) {
      const auto entry = static_cast<std::size_t>(k);
      const auto j = static_cast<std::size_t>(system.col[entry]);
      if (below ? j < i : j > i) z[i] -= factors[entry] * z[j];
      if (j == i) pivot = factors[entry];
    }
    if (!below) z[i] /= pivot;
  };
  for (std::size_t i = 0; i < z.size(); ++i) less(i, true);
  for (std::size_t i = z.size(); i-- > 0;) less(i, false);
  return z;
}

void verify(const std::vector<double>& found, const std::vector<double>& expected) {
  double largest = 0;
  double difference = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    difference = std::max(difference, std::abs(found[i] - expected[i]));
  }
  if (!(difference <= 1e-10 * largest)) throw gyre::Error("a solution that is none");
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + std::ssize(values) / 2, values.end());
  return values[values.size() / 2];
}

// Microseconds of a trip of Richardson's iteration.
double trip_of(solvers::Solver& solver, const bench::HostSystem& system,
               const bench::Options& options) {
  const auto seconds = [&](std::int64_t trips) {
    std::vector<double> all;
    for (int run = 0; run < options.runs(5, 1); ++run) {
      std::vector<double> x(system.b.size(), 0.0);
      all.push_back(solver
                        .solve(std::span<const double>(system.b), std::span<double>(x),
                               {.rtol = 0,
                                .dtol = std::numeric_limits<double>::infinity(),
                                .max_trips = trips,
                                .relaxation = 0.2})
                        .seconds);
    }
    return median(std::move(all));
  };
  constexpr std::int64_t few = 4;
  constexpr std::int64_t many = 24;
  seconds(few);
  return 1e6 * (seconds(many) - seconds(few)) / static_cast<double>(many - few);
}

double measure_gyre(const bench::HostSystem& system, const std::string& executor,
                    const std::vector<double>& expected, const bench::Options& options) {
  solvers::SolverOptions plain{.method = "richardson", .compile = {.executor = executor}};
  solvers::SolverOptions preconditioned = plain;
  preconditioned.preconditioner = solvers::Preconditioner::Ilu0;
  solvers::Solver without(system.csr(), plain);
  solvers::Solver with(system.csr(), preconditioned);
  std::vector<double> x(system.b.size(), 0.0);
  with.solve(std::span<const double>(system.b), std::span<double>(x), {.rtol = 0, .max_trips = 1});
  verify(x, expected);
  return trip_of(with, system, options) - trip_of(without, system, options);
}

#ifdef GYRE_BENCH_HAS_LIBRARIES
double measure_library(const bench::HostSystem& system, const std::vector<double>& factors,
                       const std::vector<double>& expected, const bench::Options& options) {
  const bench::BenchStream stream;
  const bench::DeviceArray<double> r(system.b);
  const bench::DeviceArray<double> z(system.b.size());
  const auto triangles =
      bench::rivals::make_library_triangles({system.row, system.col, factors}, r, z, stream);
  bench::DeviceClock clock;
  constexpr int applications = 16;
  std::vector<double> all;
  for (int run = 0; run < options.runs(5, 1) + 1; ++run) {
    all.push_back(clock.microseconds(stream, [&] {
      for (int i = 0; i < applications; ++i) triangles->put();
    }) / applications);
  }
  verify(z.to_host(), expected);
  return median({all.begin() + 1, all.end()});
}
#endif

void measure(bench::Report& report) {
  for (const std::int64_t side : {32, 256, 1024}) {
    if (report.options().quick && side > 32) break;
    const bench::HostSystem system = bench::make_five_point(side);
    const auto factors = factors_of(system);
    const auto expected = solved(system, factors);
    const std::string problem = std::to_string(system.n());
    const auto row = [&](const std::string& way, const auto& microseconds) {
      if (!report.wants(problem, way)) return;
      try {
        report.add(problem, way,
                   {{"us_per_application", microseconds()}, {"levels", 2 * (2 * side - 1)}});
      } catch (const gyre::Error& error) {
        report.leave_out(problem, way, error.what());
      }
    };
    for (const std::string executor : {"device_graph", "persistent"}) {
      row("gyre on " + executor,
          [&] { return measure_gyre(system, executor, expected, report.options()); });
    }
#ifdef GYRE_BENCH_HAS_LIBRARIES
    row("cuSPARSE SpSV",
        [&] { return measure_library(system, factors, expected, report.options()); });
#endif
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"triangular_solves", "What does it cost to apply incomplete factors?",
       "microseconds an application"},
      measure);
}
