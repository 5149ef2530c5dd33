// How much slower is CG on the cpu executor than the same loop written by hand with OpenMP?
//
// The matrix is the five-point Laplacian of a square in CSR, f64. Both sides run the same fixed
// number of iterations with the same threads; a time is the median of several runs, the two sides
// taking turns, divided by the iterations.
#include "gyre/executors/cpu.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"
#include "support/cg_program.hpp"
#include "support/clock.hpp"
#include "support/five_point.hpp"
#include "support/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <omp.h>

namespace {

namespace bench = gyre::bench;

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<std::int64_t>(a.size());
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void spmv(const bench::HostSystem& a, const std::vector<double>& x, std::vector<double>& y) {
  const auto n = static_cast<int>(a.n());
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int32_t k = a.row[i]; k < a.row[i + 1]; ++k) sum += a.val[k] * x[a.col[k]];
    y[i] = sum;
  }
}

// What a careful user writes: q and p.q in one pass, and x, r and r.r in another.
double cg_by_hand(const bench::HostSystem& a, const std::vector<double>& b, std::vector<double>& x,
                  int trips) {
  const auto n = static_cast<int>(a.n());
  std::vector<double> r(n);
  std::vector<double> p(n);
  std::vector<double> q(n);
  spmv(a, x, r);
  for (int i = 0; i < n; ++i) p[i] = r[i] = b[i] - r[i];
  double rr = dot(r, r);
  for (int trip = 0; trip < trips; ++trip) {
    double pq = 0;
#pragma omp parallel for schedule(static) reduction(+ : pq)
    for (int i = 0; i < n; ++i) {
      double sum = 0;
      for (std::int32_t k = a.row[i]; k < a.row[i + 1]; ++k) sum += a.val[k] * p[a.col[k]];
      q[i] = sum;
      pq += p[i] * sum;
    }
    const double alpha = rr / pq;
    double next = 0;
#pragma omp parallel for schedule(static) reduction(+ : next)
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i];
    }
    const double beta = next / rr;
#pragma omp parallel for schedule(static)
    for (int i = 0; i < n; ++i) p[i] = r[i] + beta * p[i];
    rr = next;
  }
  return rr;
}

class GyreCg {
 public:
  GyreCg(std::shared_ptr<const gyre::plan::Plan> plan, int threads)
      : plan_(std::move(plan)), executor_(gyre::executors::make_cpu_executor(plan_, {threads})) {}

  double run(bench::HostSystem& a, std::vector<double>& b, std::vector<double>& x, int trips) {
    using gyre::ir::ScalarType;
    const auto nnz = static_cast<std::int64_t>(a.val.size());
    gyre::ir::Arguments arguments;
    arguments.buffers["row"] = {ScalarType::I32, {a.n() + 1}, a.row.data()};
    arguments.buffers["col"] = {ScalarType::I32, {nnz}, a.col.data()};
    arguments.buffers["val"] = {ScalarType::F64, {nnz}, a.val.data()};
    arguments.buffers["b"] = {ScalarType::F64, {a.n()}, b.data()};
    arguments.buffers["x"] = {ScalarType::F64, {a.n()}, x.data()};
    arguments.scalars["max_trips"] = gyre::ir::Value(std::int32_t{trips});
    const auto outcome =
        executor_->run(gyre::ir::resolve(plan_->symbols, arguments), gyre::ir::RunOptions{});
    return outcome.scalars.at("rr").as<double>();
  }

 private:
  std::shared_ptr<const gyre::plan::Plan> plan_;
  std::unique_ptr<gyre::executors::Executor> executor_;
};

// The run of `trips` iterations less the run of none, which leaves the iterations.
void compare(bench::Report& report, GyreCg& gyre_cg, int side, int threads) {
  bench::HostSystem a = bench::make_five_point(side);
  const auto n = static_cast<int>(a.n());
  const std::string problem = "n = " + std::to_string(n) + ", " + std::to_string(threads) +
                              (threads == 1 ? " thread" : " threads");
  if (!report.wants(problem, "")) return;
  // Fewer than bring the residual down to where floats are subnormal and slow.
  const int trips = std::clamp(10'000'000 / n, 10, 200);
  std::vector<double> b(a.b.size(), 1.0);
  std::vector<double> x(b.size());
  double by_hand = 0;
  double by_gyre = 0;
  const auto time = [&](const auto& solve) {
    std::fill(x.begin(), x.end(), 0.0);
    return bench::microseconds(solve);
  };
  std::vector<double> times[2];
  for (int run = 0; run < report.options().runs(5, 1); ++run) {
    const double hand_start = time([&] { cg_by_hand(a, b, x, 0); });
    times[0].push_back(time([&] { by_hand = cg_by_hand(a, b, x, trips); }) - hand_start);
    const double our_start = time([&] { gyre_cg.run(a, b, x, 0); });
    times[1].push_back(time([&] { by_gyre = gyre_cg.run(a, b, x, trips); }) - our_start);
  }
  const double ratio = bench::median(times[1]) / bench::median(times[0]);
  const auto row = [&](const std::vector<double>& taken, double rr) {
    return nlohmann::json{{"n", n},
                          {"nnz", a.val.size()},
                          {"threads", threads},
                          {"trips", trips},
                          {"rr", rr},
                          {"us_per_trip", bench::quantiles_of_parts(taken, trips)}};
  };
  report.add(problem, "OpenMP by hand", row(times[0], by_hand));
  nlohmann::json ours = row(times[1], by_gyre);
  ours["ratio"] = ratio;
  report.add(problem, "cpu", ours);
}

void measure(bench::Report& report) {
  const auto program = gyre::text::parse_program("cg", bench::cg_text);
  const auto plan = std::make_shared<const gyre::plan::Plan>(
      gyre::plan::make_plan(gyre::passes::run_passes(program)));
  for (const int side : {100, 316, 1000}) {
    if (report.options().quick && side > 100) break;
    for (const int threads : {1, 2, 4, 8, 16}) {
      if (threads > omp_get_num_procs()) break;
      GyreCg gyre_cg(plan, threads);
      omp_set_num_threads(threads);
      compare(report, gyre_cg, side, threads);
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_bench(
      count, words,
      {"cpu_cg", "CG on the cpu executor against a hand-written OpenMP loop, five-point CSR, f64",
       "microseconds a trip"},
      measure);
}
