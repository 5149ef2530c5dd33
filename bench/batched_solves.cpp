// What do many small systems cost at once, and what one after another?
//
// 10,000 systems of 64 rows, each with a matrix of its own, to rtol 1e-8 by conjugate gradients.
// All arrays lie where the executor has its memory, so that no way copies any. Programs are
// compiled before; the one after another is gyre's own Solver, given the next matrix before each
// solve.
#include "gyre/solvers/batched_solver.hpp"
#include "gyre/solvers/dense_matrix.hpp"
#include "gyre/solvers/solver.hpp"
#include "support/clock.hpp"
#include "support/device_array.hpp"
#include "support/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
namespace solvers = gyre::solvers;
using bench::DeviceArray;

// Diffusion on a square of side² points with random coefficients: five points a row, each system
// its own values. The larger `contrast`, the more trips.
struct Systems {
  std::int64_t count = 0;
  std::int64_t n = 0;
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col = {};
  std::vector<double> val = {};
  std::vector<double> b = {};
  /// All entries of the same matrices; empty where that would be too much.
  std::vector<double> dense = {};

  std::int64_t entries() const { return static_cast<std::int64_t>(col.size()); }
};

void add_pattern(Systems& systems, std::int64_t side) {
  for (std::int64_t at = 0; at < side * side; ++at) {
    const std::int64_t x = at % side;
    const auto add = [&](std::int64_t column) {
      systems.col.push_back(static_cast<std::int32_t>(column));
    };
    if (at >= side) add(at - side);
    if (x > 0) add(at - 1);
    add(at);
    if (x + 1 < side) add(at + 1);
    if (at + side < side * side) add(at + side);
    systems.row.push_back(static_cast<std::int32_t>(systems.col.size()));
  }
}

// The diagonal is the sum of what stands beside it, and a little more.
void add_values(Systems& systems, std::mt19937_64& random, double contrast) {
  std::uniform_real_distribution<double> exponent(-contrast, contrast);
  std::vector<double> node(static_cast<std::size_t>(systems.n));
  for (double& one : node) one = std::exp2(exponent(random));
  for (std::size_t i = 0; i < node.size(); ++i) {
    double sum = 0.01;
    std::size_t diagonal = 0;
    for (auto k = systems.row[i]; k < systems.row[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(systems.col[static_cast<std::size_t>(k)]);
      if (i == j) diagonal = systems.val.size();
      systems.val.push_back(i == j ? 0 : -(node[i] + node[j]) / 2);
      sum -= systems.val.back();
    }
    systems.val[diagonal] = sum;
  }
}

Systems make_systems(std::int64_t count, std::int64_t side, bool has_dense) {
  Systems systems{.count = count, .n = side * side};
  add_pattern(systems, side);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> rhs(-1, 1);
  for (std::int64_t s = 0; s < count; ++s) {
    add_values(systems, random, static_cast<double>(s % 9) / 2);
    for (std::int64_t i = 0; i < systems.n; ++i) systems.b.push_back(rhs(random));
  }
  if (!has_dense) return systems;
  systems.dense.resize(static_cast<std::size_t>(count * systems.n * systems.n));
  for (std::int64_t s = 0; s < count; ++s) {
    for (std::int64_t i = 0; i < systems.n; ++i) {
      for (auto k = systems.row[static_cast<std::size_t>(i)];
           k < systems.row[static_cast<std::size_t>(i + 1)]; ++k) {
        const std::int64_t j = systems.col[static_cast<std::size_t>(k)];
        systems.dense[static_cast<std::size_t>((s * systems.n + i) * systems.n + j)] =
            systems.val[static_cast<std::size_t>(s * systems.entries() + k)];
      }
    }
  }
  return systems;
}

// Arrays of the host or of the device, which the solvers borrow.
struct Memory {
  std::span<const std::int32_t> row, col;
  std::span<const double> val, dense, b;
  std::span<double> x;
};

/// The same arrays on the GPU.
class OnDevice {
 public:
  explicit OnDevice(const Systems& systems)
      : row_(systems.row),
        col_(systems.col),
        val_(systems.val),
        dense_(systems.dense),
        b_(systems.b),
        x_(systems.b.size()) {}

  Memory memory() const {
    return {all(row_), all(col_), all(val_), all(dense_), all(b_), {x_.data(), x_.size()}};
  }
  void clear() { x_.clear(); }

 private:
  template <class T>
  static std::span<const T> all(const DeviceArray<T>& array) {
    return {array.data(), array.size()};
  }

  DeviceArray<std::int32_t> row_, col_;
  DeviceArray<double> val_, dense_, b_, x_;
};

constexpr solvers::SolveOptions told = {.rtol = 1e-8};

std::shared_ptr<const solvers::BatchMatrix> batch_of(const Systems& systems, const Memory& memory,
                                                     bool dense) {
  if (dense) {
    return solvers::dense_batch(
        solvers::DenseBatch{systems.count, systems.n, memory.dense, solvers::Layout::Columns});
  }
  return solvers::csr_batch(
      solvers::CsrBatch{systems.count, systems.n, memory.row, memory.col, memory.val},
      solvers::Contents::Trust);
}

std::shared_ptr<const solvers::Matrix> matrix_of(const Systems& systems, const Memory& memory,
                                                 bool dense, std::int64_t s) {
  const auto part = [&](std::span<const double> all, std::int64_t each) {
    return all.subspan(static_cast<std::size_t>(s * each), static_cast<std::size_t>(each));
  };
  if (dense) {
    return solvers::dense_matrix({systems.n, part(memory.dense, systems.n * systems.n)});
  }
  return solvers::csr_matrix(
      solvers::CsrView{systems.n, memory.row, memory.col, part(memory.val, systems.entries())},
      solvers::Contents::Trust);
}

// What a way has measured.
struct Measured {
  double seconds = 0;
  std::int64_t systems = 0;
  std::int64_t converged = 0;
  std::int64_t least_trips = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_trips = 0;

  void count(bool has_converged, std::int64_t trips) {
    ++systems;
    converged += has_converged ? 1 : 0;
    least_trips = std::min(least_trips, trips);
    most_trips = std::max(most_trips, trips);
  }
};

void add(bench::Report& report, const std::string& problem, const std::string& way,
         const Measured& one) {
  report.add(problem, way,
             {{"us_per_system", 1e6 * one.seconds / static_cast<double>(one.systems)},
              {"systems", one.systems},
              {"converged", one.converged},
              {"least_trips", one.least_trips},
              {"most_trips", one.most_trips}});
}

void count_all(const solvers::BatchedResult& result, Measured& measured) {
  for (std::int64_t s = 0; s < result.systems(); ++s) {
    measured.count(is_converged(result.of(s).reason), result.of(s).iterations);
  }
}

// From the launch of the batch to its result on the host; x stays on the device.
Measured run_batch(const Systems& systems, OnDevice& device, bool dense,
                   const std::string& executor, solvers::RunBy run_by, int runs) {
  solvers::BatchedOptions options{.run_by = run_by};
  options.compile.executor = executor;
  solvers::BatchedSolver solver(batch_of(systems, device.memory(), dense), options);
  const bench::BenchStream stream;
  const Memory memory = device.memory();
  solvers::BatchedResult result;
  const auto seconds = bench::sample(1, runs, [&] {
    device.clear();
    return bench::seconds(
        [&] { result = solver.solve(memory.b, memory.x, stream.get(), told).result(); });
  });
  Measured measured{.seconds = bench::median(seconds)};
  count_all(result, measured);
  return measured;
}

// Each solve is launched when the one before has ended.
Measured run_in_turn(const Systems& systems, const Memory& memory, bool dense,
                     const std::string& executor, std::int64_t count,
                     const std::function<solvers::SolveResult(
                         solvers::Solver&, std::span<const double>, std::span<double>)>& solve) {
  solvers::SolverOptions options;
  options.compile.executor = executor;
  // More threads than one cost more than they bring to a system of so few rows.
  options.compile.threads = 1;
  solvers::Solver solver(matrix_of(systems, memory, dense, 0), options);
  const auto at = [&](auto all, std::int64_t s) {
    return all.subspan(static_cast<std::size_t>(s * systems.n),
                       static_cast<std::size_t>(systems.n));
  };
  solve(solver, at(memory.b, 0), at(memory.x, 0));
  Measured measured;
  measured.seconds = bench::seconds([&] {
    for (std::int64_t s = 1; s < count; ++s) {
      solver.set_matrix(matrix_of(systems, memory, dense, s));
      const auto result = solve(solver, at(memory.b, s), at(memory.x, s));
      measured.count(is_converged(result.reason), result.iterations);
    }
  });
  return measured;
}

Measured run_in_turn_on_device(const Systems& systems, OnDevice& device, bool dense,
                               const std::string& executor, std::int64_t count) {
  const bench::BenchStream stream;
  device.clear();
  return run_in_turn(systems, device.memory(), dense, executor, count,
                     [&](solvers::Solver& solver, std::span<const double> b, std::span<double> x) {
                       return solver.solve(b, x, stream.get(), told).result();
                     });
}

Measured run_in_turn_on_host(const Systems& systems, bool dense, std::int64_t count) {
  std::vector<double> x(systems.b.size());
  const Memory memory{systems.row, systems.col, systems.val, systems.dense, systems.b, x};
  return run_in_turn(systems, memory, dense, "cpu", count,
                     [&](solvers::Solver& solver, std::span<const double> b,
                         std::span<double> own) { return solver.solve(b, own, told); });
}

Measured run_batch_on_host(const Systems& all, bool dense, std::int64_t count) {
  Systems systems = all;
  systems.count = count;
  systems.val.resize(static_cast<std::size_t>(count * all.entries()));
  systems.b.resize(static_cast<std::size_t>(count * all.n));
  if (dense) systems.dense.resize(static_cast<std::size_t>(count * all.n * all.n));
  solvers::BatchedOptions options;
  options.compile.executor = "cpu";
  std::vector<double> x(systems.b.size());
  const Memory memory{systems.row, systems.col, systems.val, systems.dense, systems.b, {}};
  solvers::BatchedSolver solver(batch_of(systems, memory, dense), options);
  const auto result = solver.solve(systems.b, x, told);
  Measured measured{.seconds = result.seconds};
  count_all(result, measured);
  return measured;
}

struct Problem {
  std::int64_t count;
  std::int64_t side;
  bool dense;

  std::string name() const {
    return std::to_string(count) + " of " + std::to_string(side * side) +
           (dense ? " rows, dense" : " rows, five points a row");
  }
};

void measure_problem(bench::Report& report, const Problem& problem) {
  const bool quick = report.options().quick;
  const Systems systems = make_systems(problem.count, problem.side, problem.dense);
  OnDevice device(systems);
  const auto row = [&](const std::string& way, const std::function<Measured()>& run) {
    if (report.wants(problem.name(), way)) add(report, problem.name(), way, run());
  };
  const auto batch = [&](const std::string& executor, solvers::RunBy run_by) {
    return [&, executor, run_by] {
      return run_batch(systems, device, problem.dense, executor, run_by, quick ? 1 : 7);
    };
  };
  row("batch on device_graph", batch("device_graph", solvers::RunBy::Any));
  row("batch on device_graph, a warp each", batch("device_graph", solvers::RunBy::Warp));
  row("batch on device_graph, a block each", batch("device_graph", solvers::RunBy::Block));
  for (const char* executor : {"persistent", "device_graph"}) {
    row(std::string("one after another on ") + executor, [&] {
      return run_in_turn_on_device(systems, device, problem.dense, executor,
                                   quick ? 20 : problem.count);
    });
  }
  // Enough to tell what one costs: the first of them are as hard as the others.
  const std::int64_t some = std::min<std::int64_t>(problem.count, problem.side > 8 ? 50 : 1000);
  row("batch on cpu", [&] { return run_batch_on_host(systems, problem.dense, some); });
  row("one after another on cpu",
      [&] { return run_in_turn_on_host(systems, problem.dense, some); });
}

void measure(bench::Report& report) {
  if (report.options().quick) return measure_problem(report, {200, 8, false});
  for (const Problem& problem :
       {Problem{10'000, 8, true}, Problem{10'000, 8, false}, Problem{1'000, 8, false},
        Problem{100, 8, false}, Problem{2'000, 32, false}}) {
    measure_problem(report, problem);
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"batched_solves", "what many small systems cost at once, and one after another",
       "microseconds a system, from launch to result, by conjugate gradients to rtol 1e-8"},
      measure);
}
