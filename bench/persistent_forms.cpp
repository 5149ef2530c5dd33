// What does a trip cost where the loop is one kernel? Conjugate gradients, and loops of one kind of
// sweep, on every form of persistent beside device_graph. The way `automatic` is what the costs of
// this machine choose: it should be as quick as the best of the others.
#include "gyre/executors/gpu.hpp"
#include "gyre/ir/bind.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"
#include "support/clock.hpp"
#include "support/gyre_cg.hpp"
#include "support/report.hpp"
#include "support/solve_contest.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
using Form = gyre::executors::PersistentOptions::Form;
using PlanPointer = std::shared_ptr<const gyre::plan::Plan>;

struct Crew {
  const char* name;
  gyre::executors::PersistentOptions options;
};
constexpr Crew crews[] = {{"automatic", {Form::Automatic}},
                          {"block", {Form::Block}},
                          {"block, 256 threads", {Form::Block, 256}},
                          {"block, 1024 threads", {Form::Block, 1024}},
                          {"cluster", {Form::Cluster}},
                          {"cluster, 256 threads", {Form::Cluster, 256}},
                          {"cluster, 512 threads", {Form::Cluster, 512}},
                          {"grid", {Form::Grid}}};

bench::SolveWays make_forms() {
  bench::SolveWays ways = bench::make_gyre_cgs({"device_graph"});
  for (const Crew& crew : crews) {
    ways.push_back(bench::make_gyre_cg_on(crew.name, "persistent", [&crew](PlanPointer plan) {
      return gyre::executors::make_persistent_executor(std::move(plan), crew.options);
    }));
  }
  return ways;
}

/// A loop of `trips` trips over n points.
struct Loop {
  const char* name;
  const char* text;
};
constexpr Loop loops[] = {{"one sweep", R"(program one_sweep(n: size) {
  in trips: i32, place: i32[n]
  inout x: f64[n]
  temp y: f64[n]
  for t in 0..trips {
    foreach i in 0..n { y[i] = 0.5 * (x[i] + x[place[i]]) }
    copy x = y
  }
})"},
                          {"two sweeps", R"(program two_sweeps(n: size) {
  in trips: i32, place: i32[n]
  inout x: f64[n]
  temp y: f64[n]
  for t in 0..trips {
    foreach i in 0..n { y[i] = x[i] + x[place[i]] }
    foreach i in 0..n { x[i] = 0.25 * (y[i] + y[place[i]]) }
  }
})"},
                          {"a fold a trip", R"(program folding(n: size) {
  in trips: i32, place: i32[n]
  inout x: f64[n]
  temp y: f64[n]
  var change: f64 = 1.0, t: i32 = 0
  while change >= 0.0 && t < trips {
    foreach i in 0..n { y[i] = 0.5 * (x[i] + x[place[i]]) }
    change = max(i in 0..n) abs(y[i] - x[i])
    copy x = y
    t += 1
  }
})"},
                          {"levels of a 64th", R"(program levels(n: size) {
  in trips: i32, place: i32[n]
  inout x: f64[n]
  for t in 0..trips {
    foreach i in 0..n / 64 independent {
      let row = (i64(t) * (n / 64) + i) % n
      scatter x[row] = 0.5 * (x[row] + x[place[(row + n / 2) % n]])
    }
  }
})"}};

class LoopOnForms {
 public:
  LoopOnForms(bench::Report& report, const Loop& loop)
      : report_(report),
        loop_(loop),
        compiled_(std::make_shared<gyre::Executable>(gyre::compile(
            gyre::text::parse_program(loop.name, loop.text), {.executor = "persistent"}))),
        plan_(compiled_, &compiled_->plan()) {}

  void run(std::int64_t n) {
    bind(n);
    measure("device_graph", *gyre::executors::make_device_graph_executor(plan_));
    for (const Crew& crew : crews) {
      if (crew.options.threads != 0) continue;
      measure(crew.name, *gyre::executors::make_persistent_executor(plan_, crew.options));
    }
  }

 private:
  static constexpr std::int32_t trips = 512;

  void bind(std::int64_t n) {
    std::vector<std::int32_t> place;
    std::vector<double> x;
    for (std::int64_t i = 0; i < n; ++i) {
      place.push_back(static_cast<std::int32_t>((i + 33) % n));
      x.push_back(1.0 / static_cast<double>(1 + i % 100));
    }
    place_ = bench::DeviceArray<std::int32_t>(place);
    x_ = bench::DeviceArray<double>(x);
    first_ = std::move(x);
    expected_.clear();
    gyre::ir::Arguments arguments;
    arguments.buffers["place"] = {gyre::ir::ScalarType::I32, {n}, place_.data()};
    arguments.buffers["x"] = {gyre::ir::ScalarType::F64, {n}, x_.data()};
    arguments.scalars["trips"] = gyre::ir::Value(trips);
    bound_ = gyre::ir::resolve(plan_->symbols, arguments);
  }

  // What comes from pageable memory may still be under way when the copy returns.
  void restore() {
    x_.fill_from(first_);
    bench::must(cudaDeviceSynchronize());
  }

  void measure(const std::string& way, gyre::executors::Executor& executor) {
    const auto n = static_cast<std::int64_t>(x_.size());
    const std::string problem = std::string(loop_.name) + ", n = " + std::to_string(n);
    if (!report_.wants(problem, way)) return;
    try {
      executor.prepare(bound_, {});
      const auto times = bench::sample(1, report_.options().runs(7, 1), [&] {
        restore();
        return bench::microseconds([&] { executor.run(bound_, {}); });
      });
      if (expected_.empty()) expected_ = x_.to_host();
      if (x_.to_host() != expected_) throw std::logic_error("not the same bits");
      report_.add(problem, way,
                  {{"n", n},
                   {"by", "gyre"},
                   {"trips", trips},
                   {"us_per_trip", bench::quantiles_of_parts(times, trips)}});
    } catch (const gyre::Error& error) {
      report_.leave_out(problem, way, error.what());
    }
  }

  bench::Report& report_;
  const Loop& loop_;
  std::shared_ptr<gyre::Executable> compiled_;
  PlanPointer plan_;
  bench::DeviceArray<std::int32_t> place_;
  bench::DeviceArray<double> x_;
  std::vector<double> first_;
  std::vector<double> expected_;
  gyre::ir::Bound bound_;
};

void measure(bench::Report& report) {
  const bool quick = report.options().quick;
  bench::SolveContest contest(report, make_forms());
  const auto run = [&](int points, int side) {
    bench::DeviceSystem system(bench::Stencil{points, side});
    const auto fitting = std::max<std::int64_t>(600'000'000 / system.entries(), 10);
    const auto trips = static_cast<int>(
        std::min<std::int64_t>({fitting, quick ? 50 : 512, system.rows() > 300 ? 512 : 256}));
    contest.run({std::to_string(points) + " points, n = " + std::to_string(system.rows()),
                 system,
                 {0, trips},
                 report.options().runs(7, 1)});
  };
  for (const int side : {16, 32, 33, 45, 64, 90, 100, 128, 256, 367, 512, 724, 1024, 4096}) {
    run(5, side);
  }
  for (const int side : {10, 16, 20, 64}) run(7, side);
  for (const int side : {8, 10, 16, 64}) run(27, side);
  for (const Loop& loop : loops) {
    LoopOnForms forms(report, loop);
    for (const std::int64_t n : {256, 1024, 2048, 4096, 16384, 65536, 131072}) forms.run(n);
  }
  contest.conclude();
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"persistent_forms", "what a trip costs where the loop is one kernel", "microseconds a trip"},
      measure);
}
