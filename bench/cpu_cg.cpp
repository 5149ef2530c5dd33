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
#include "support/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>
#include <omp.h>

using gyre::bench::machine_facts;
using gyre::bench::median;
using gyre::bench::seconds;
using gyre::bench::write_results;

namespace {

struct Csr {
  std::vector<std::int32_t> row = {0};
  std::vector<std::int32_t> col;
  std::vector<double> val;
  int n = 0;
};

Csr five_point(int side) {
  Csr a;
  a.n = side * side;
  const auto add = [&](int column, double value) {
    a.col.push_back(column);
    a.val.push_back(value);
  };
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const int at = y * side + x;
      if (y > 0) add(at - side, -1);
      if (x > 0) add(at - 1, -1);
      add(at, 4);
      if (x + 1 < side) add(at + 1, -1);
      if (y + 1 < side) add(at + side, -1);
      a.row.push_back(static_cast<std::int32_t>(a.col.size()));
    }
  }
  return a;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  const auto n = static_cast<std::int64_t>(a.size());
  double sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

void spmv(const Csr& a, const std::vector<double>& x, std::vector<double>& y) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < a.n; ++i) {
    double sum = 0;
    for (std::int32_t k = a.row[i]; k < a.row[i + 1]; ++k) sum += a.val[k] * x[a.col[k]];
    y[i] = sum;
  }
}

// What a careful user writes: q and p.q in one pass, and x, r and r.r in another.
double cg_by_hand(const Csr& a, const std::vector<double>& b, std::vector<double>& x, int trips) {
  const int n = a.n;
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

  double run(Csr& a, std::vector<double>& b, std::vector<double>& x, int trips) {
    using gyre::ir::ScalarType;
    const auto nnz = static_cast<std::int64_t>(a.val.size());
    gyre::ir::Arguments arguments;
    arguments.buffers["row"] = {ScalarType::I32, {a.n + 1}, a.row.data()};
    arguments.buffers["col"] = {ScalarType::I32, {nnz}, a.col.data()};
    arguments.buffers["val"] = {ScalarType::F64, {nnz}, a.val.data()};
    arguments.buffers["b"] = {ScalarType::F64, {a.n}, b.data()};
    arguments.buffers["x"] = {ScalarType::F64, {a.n}, x.data()};
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
nlohmann::json measure(const std::shared_ptr<const gyre::plan::Plan>& plan, int side, int threads) {
  constexpr int runs = 7;
  Csr a = five_point(side);
  // Fewer than bring the residual down to where floats are subnormal and slow.
  const int trips = std::clamp(20'000'000 / a.n, 20, 200);
  std::vector<double> b(a.n, 1.0);
  GyreCg gyre_cg(plan, threads);
  omp_set_num_threads(threads);
  std::vector<double> by_hand;
  std::vector<double> by_gyre;
  double residuals[2] = {0, 0};
  for (int run = 0; run < runs; ++run) {
    std::vector<double> x(a.n);
    const auto hand = [&](int count) {
      std::fill(x.begin(), x.end(), 0.0);
      return seconds([&] { residuals[0] = cg_by_hand(a, b, x, count); });
    };
    const auto ours = [&](int count) {
      std::fill(x.begin(), x.end(), 0.0);
      return seconds([&] { residuals[1] = gyre_cg.run(a, b, x, count); });
    };
    const double hand_start = hand(0);
    by_hand.push_back((hand(trips) - hand_start) / trips);
    const double our_start = ours(0);
    by_gyre.push_back((ours(trips) - our_start) / trips);
  }
  const double hand_us = median(by_hand) * 1e6;
  const double gyre_us = median(by_gyre) * 1e6;
  std::printf("%9d %8d %6d %14.1f %14.1f %7.2f   %.3e %.3e\n", a.n, threads, trips, hand_us,
              gyre_us, gyre_us / hand_us, residuals[0], residuals[1]);
  std::fflush(stdout);
  return {{"n", a.n},
          {"nnz", a.val.size()},
          {"threads", threads},
          {"iterations", trips},
          {"openmp_us", hand_us},
          {"gyre_us", gyre_us},
          {"ratio", gyre_us / hand_us}};
}

}  // namespace

int main() {
  const nlohmann::json machine = machine_facts();
  const auto program = gyre::text::parse_program("cg", gyre::bench::cg_text);
  const auto plan = std::make_shared<const gyre::plan::Plan>(
      gyre::plan::make_plan(gyre::passes::run_passes(program)));
  std::printf("CG, f64, five-point CSR; microseconds an iteration, median of 7 runs\n");
  std::printf("%9s %8s %6s %14s %14s %7s   %s\n", "n", "threads", "trips", "openmp", "gyre",
              "ratio", "r.r of each");
  nlohmann::json rows = nlohmann::json::array();
  for (const int side : {100, 316, 1000}) {
    for (const int threads : {1, 2}) rows.push_back(measure(plan, side, threads));
  }
  write_results("cpu_cg",
                {{"question", "CG on the cpu executor against a hand-written OpenMP loop"},
                 {"unit", "microseconds an iteration, median of 7 runs"},
                 {"machine", machine},
                 {"rows", rows}});
  return 0;
}
