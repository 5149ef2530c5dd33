// What does a trip of each solver cost, and what do preconditioners, formats and precisions change?
//
// The matrix is the five-point Laplacian of a square; how rows of uneven length are best stored is
// asked of another one, of which a tenth of the rows has 60 neighbours and more. A time is that of
// many trips less that of few, over the difference: what a launch costs beside its trips, copies of
// host memory included, falls out. Each is the median of several runs.
#include "gyre/solvers/ell_matrix.hpp"
#include "gyre/solvers/methods.hpp"
#include "gyre/solvers/sell_matrix.hpp"
#include "gyre/solvers/solver.hpp"
#include "gyre/solvers/stencil_matrix.hpp"
#include "support/five_point.hpp"
#include "support/report.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
namespace solvers = gyre::solvers;
using solvers::Preconditioner;

// A system with its matrix in all the ways that are measured.
struct System : bench::HostSystem {
  explicit System(HostSystem host)
      : HostSystem(std::move(host)),
        low_val(val.begin(), val.end()),
        ell(solvers::make_ell(csr())),
        sell(solvers::make_sell(csr())),
        sorted_sell(solvers::make_sell(csr(), {.window = 1024})) {}

  std::vector<float> low_val;
  solvers::EllArrays<double> ell;
  solvers::SellArrays<double> sell;
  solvers::SellArrays<double> sorted_sell;
  std::vector<double> stencil = {4, -1, -1, -1, -1};
};

// A band in which row i is coupled with those up to reach(i) behind it.
bench::HostSystem make_uneven_system(std::int64_t side) {
  bench::HostSystem system;
  system.side = side;
  const auto reach = [](std::int64_t i) { return i * 7919 % 97 < 10 ? 60 : 2; };
  for (std::int64_t i = 0; i < system.n(); ++i) {
    const auto begin = system.col.size();
    for (std::int64_t j = std::max<std::int64_t>(i - 60, 0); j <= i + reach(i); ++j) {
      if (j >= system.n() || (j < i && i - j > reach(j))) continue;
      system.col.push_back(static_cast<std::int32_t>(j));
      system.val.push_back(-1);
    }
    const auto diagonal = std::find(system.col.begin() + static_cast<std::ptrdiff_t>(begin),
                                    system.col.end(), static_cast<std::int32_t>(i));
    system.val[static_cast<std::size_t>(diagonal - system.col.begin())] =
        static_cast<double>(system.col.size() - begin);
    system.row.push_back(static_cast<std::int32_t>(system.col.size()));
    system.b.push_back(static_cast<double>(i * 31 % 17) - 8);
  }
  return system;
}

struct Way {
  std::string name;
  solvers::SolverOptions options;
  std::string storage = "csr";
};

std::vector<Way> ways() {
  std::vector<Way> all;
  for (const solvers::Method& method : solvers::methods()) {
    all.push_back({std::string(method.name), {.method = std::string(method.name)}});
  }
  for (const auto& row : solvers::preconditioners()) {
    if (row.kind == Preconditioner::None) continue;
    all.push_back({"cg with " + std::string(row.name), {.preconditioner = row.kind}});
  }
  all.push_back({"cg on ell", {}, "ell"});
  all.push_back({"cg on sell", {}, "sell"});
  all.push_back({"cg on a stencil", {}, "stencil"});
  all.push_back({"cg in f32", {}, "f32"});
  all.push_back({"cg in mixed precision", {.mixed = true}});
  return all;
}

std::vector<Way> uneven_ways() {
  std::vector<Way> all;
  for (const std::string storage : {"csr", "ell", "sell", "sorted sell"}) {
    all.push_back({"cg on uneven rows in " + storage, {}, storage});
  }
  return all;
}

std::shared_ptr<const solvers::Matrix> stored(const System& system, const std::string& storage) {
  if (storage == "ell") return ell_matrix(system.ell.view());
  if (storage == "sell") return sell_matrix(system.sell.view());
  if (storage == "sorted sell") return sell_matrix(system.sorted_sell.view());
  if (storage == "stencil") {
    return stencil_matrix(solvers::StencilView{
        {system.side, system.side}, solvers::nearest_neighbours(2), system.stencil});
  }
  if (storage == "f32") {
    return csr_matrix(solvers::CsrViewF32{system.n(), system.row, system.col, system.low_val});
  }
  return csr_matrix(system.csr());
}

// Whether a trip goes through the levels of triangles, which takes milliseconds.
bool has_levels(const Way& way) {
  const Preconditioner kind = way.options.preconditioner;
  return kind == Preconditioner::Ilu0 || kind == Preconditioner::Ic0;
}

struct Timed {
  double seconds = 0;
  std::int64_t trips = 0;
  std::uint64_t host_syncs = 0;
};

template <class X>
Timed run(solvers::Solver& solver, const System& system, std::int64_t trips, int runs) {
  const std::vector<X> b(system.b.begin(), system.b.end());
  std::vector<double> seconds;
  solvers::SolveResult result;
  for (int i = 0; i < runs; ++i) {
    std::vector<X> x(b.size(), 0);
    // Small enough for Richardson; no tolerance, so that trips decide.
    result = solver.solve(std::span<const X>(b), std::span<X>(x),
                          {.rtol = 0,
                           .dtol = std::numeric_limits<double>::infinity(),
                           .max_trips = trips,
                           .relaxation = 0.2});
    seconds.push_back(result.seconds);
  }
  std::nth_element(seconds.begin(), seconds.begin() + runs / 2, seconds.end());
  return {seconds[static_cast<std::size_t>(runs) / 2], result.iterations, result.host_syncs};
}

void measure_way(bench::Report& report, const System& system, const Way& way,
                 const std::string& executor) {
  const std::string problem = std::to_string(system.n());
  const std::string name = way.name + " on " + executor;
  if (!report.wants(problem, name)) return;
  auto options = way.options;
  options.compile.executor = executor;
  solvers::Solver solver(stored(system, way.storage), options);
  const auto measured = [&](std::int64_t trips) {
    const int runs = report.options().runs(7, 1);
    return way.storage == "f32" ? run<float>(solver, system, trips, runs)
                                : run<double>(solver, system, trips, runs);
  };
  // Before any of them comes near the end of its precision, where it would restart.
  const bool is_short = system.side <= 32 || has_levels(way);
  measured(8);
  const Timed few = measured(is_short ? 16 : 32);
  const Timed many = measured(is_short ? 48 : 160);
  report.add(problem, name,
             {{"us_per_trip",
               1e6 * (many.seconds - few.seconds) / static_cast<double>(many.trips - few.trips)},
              {"trips", many.trips},
              {"host_syncs", many.host_syncs}});
}

void measure_ways(bench::Report& report, const System& system, const std::vector<Way>& ways) {
  for (const Way& way : ways) {
    for (const std::string executor : {"device_graph", "persistent"}) {
      // Of a large system nothing is resident but levels.
      if (executor == "persistent" && system.side > 32 && !has_levels(way)) continue;
      try {
        measure_way(report, system, way, executor);
      } catch (const gyre::Error& error) {
        report.leave_out(std::to_string(system.n()), way.name + " on " + executor, error.what());
      }
    }
  }
}

void measure(bench::Report& report) {
  for (const std::int64_t side : {32, 256, 1024}) {
    if (report.options().quick && side > 32) break;
    measure_ways(report, System(bench::make_five_point(side)), ways());
    if (side > 32) measure_ways(report, System(make_uneven_system(side)), uneven_ways());
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words, {"solvers", "What does a trip of each solver cost?", "microseconds a trip"},
      measure);
}
