// What does a trip of a right-hand side cost where many of one matrix are solved at once?
//
// The matrix is the five-point Laplacian of a square, in device memory as all vectors are. A time
// is that of many trips less that of few, over the difference and the number of right-hand sides:
// what a launch costs beside its trips falls out.
#include "gyre/solvers/batched_solver.hpp"
#include "gyre/solvers/solver.hpp"
#include "support/clock.hpp"
#include "support/device_array.hpp"
#include "support/report.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

namespace bench = gyre::bench;
namespace solvers = gyre::solvers;
using bench::DeviceArray;

class System {
 public:
  System(std::int64_t side, std::int64_t count) : n_(side * side), count_(count) {
    std::vector<std::int32_t> row = {0};
    std::vector<std::int32_t> col;
    std::vector<double> val;
    for (std::int64_t at = 0; at < n_; ++at) {
      const auto add = [&](bool is_inside, std::int64_t column, double value) {
        if (!is_inside) return;
        col.push_back(static_cast<std::int32_t>(column));
        val.push_back(value);
      };
      add(at >= side, at - side, -1);
      add(at % side > 0, at - 1, -1);
      add(true, at, 4);
      add(at % side + 1 < side, at + 1, -1);
      add(at + side < n_, at + side, -1);
      row.push_back(static_cast<std::int32_t>(col.size()));
    }
    std::vector<double> b;
    for (std::int64_t i = 0; i < n_ * count; ++i) {
      b.push_back(static_cast<double>((i * 31 + i / n_) % 17) - 8);
    }
    row_ = DeviceArray<std::int32_t>(row);
    col_ = DeviceArray<std::int32_t>(col);
    val_ = DeviceArray<double>(val);
    b_ = DeviceArray<double>(b);
    x_ = DeviceArray<double>(b.size());
  }

  std::shared_ptr<const solvers::Matrix> matrix() const {
    return solvers::csr_matrix(solvers::CsrView{n_, all(row_), all(col_), all(val_)},
                               solvers::Contents::Trust);
  }
  std::int64_t n() const { return n_; }
  std::int64_t count() const { return count_; }
  std::span<const double> b() const { return all(b_); }
  std::span<double> x() const { return {x_.data(), x_.size()}; }
  void clear() { x_.clear(); }

 private:
  template <class T>
  static std::span<const T> all(const DeviceArray<T>& array) {
    return {array.data(), array.size()};
  }

  std::int64_t n_;
  std::int64_t count_;
  DeviceArray<std::int32_t> row_, col_;
  DeviceArray<double> val_, b_, x_;
};

// No tolerance, so that trips decide.
solvers::SolveOptions of_trips(std::int64_t trips) {
  return {.rtol = 0, .dtol = std::numeric_limits<double>::infinity(), .max_trips = trips};
}

// `solve` solves all right-hand sides in so many trips each.
double us_per_trip(System& system, int runs, const std::function<void(std::int64_t trips)>& solve) {
  const auto time = [&](std::int64_t trips) {
    return bench::median(bench::sample(1, runs, [&] {
      system.clear();
      return bench::microseconds([&] { solve(trips); });
    }));
  };
  constexpr std::int64_t few = 16;
  constexpr std::int64_t many = 48;
  return (time(many) - time(few)) / static_cast<double>((many - few) * system.count());
}

double at_once(System& system, const std::string& executor, solvers::RunBy run_by, int runs) {
  solvers::BatchedOptions options{.run_by = run_by};
  options.compile.executor = executor;
  solvers::BatchedSolver solver(solvers::shared_batch(system.matrix(), system.count()), options);
  const bench::BenchStream stream;
  return us_per_trip(system, runs, [&](std::int64_t trips) {
    solver.solve(system.b(), system.x(), stream.get(), of_trips(trips)).result();
  });
}

double in_turn(System& system, const std::string& executor, int runs) {
  solvers::SolverOptions options;
  options.compile.executor = executor;
  solvers::Solver solver(system.matrix(), options);
  const bench::BenchStream stream;
  const auto n = static_cast<std::size_t>(system.n());
  return us_per_trip(system, runs, [&](std::int64_t trips) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(system.count()); ++k) {
      solver
          .solve(system.b().subspan(k * n, n), system.x().subspan(k * n, n), stream.get(),
                 of_trips(trips))
          .result();
    }
  });
}

void measure(bench::Report& report) {
  const int runs = report.options().runs(5, 1);
  for (const std::int64_t side : {64, 256, 1024}) {
    for (const std::int64_t count : {1, 4, 16, 64}) {
      if (report.options().quick && (side > 64 || count > 4)) continue;
      System system(side, count);
      const std::string problem =
          std::to_string(count) + " of " + std::to_string(system.n()) + " rows";
      const auto row = [&](const std::string& way, const std::function<double()>& us) {
        if (!report.wants(problem, way)) return;
        report.add(problem, way, {{"n", system.n()}, {"count", count}, {"us_per_trip", us()}});
      };
      row("the device all of them",
          [&] { return at_once(system, "device_graph", solvers::RunBy::Device, runs); });
      if (side <= 256) {
        row("a block each",
            [&] { return at_once(system, "device_graph", solvers::RunBy::Block, runs); });
      }
      for (const char* executor : {"persistent", "device_graph"}) {
        row(std::string("one after another on ") + executor,
            [&] { return in_turn(system, executor, runs); });
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"many_rhs", "what a trip costs where many right-hand sides of one matrix are solved at once",
       "microseconds a trip and right-hand side, by conjugate gradients"},
      measure);
}
