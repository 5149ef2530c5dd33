// What does a trip of each solver cost beside the same method written with cuBLAS and cuSPARSE?
//
// The matrix is the five-point Laplacian of a square, f64, with everything on the device. Each
// solve has a fixed number of trips, as many as leave the residual above the end of precision: past
// that, gyre's solvers look at the true residual and stop. All ways take turns; a time is from
// launch to result, by the host's clock, divided by the trips. Every solution is compared with that
// of the first way, from which rounding may drive it apart: on the largest square the trips of
// bicgstab are so few since from the 28th on two orders of summation part there, in plain loops
// too.
#include "rivals/solver_rivals.hpp"
#include "support/gyre_executors.hpp"
#include "support/gyre_solver.hpp"
#include "support/report.hpp"
#include "support/solve_contest.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
namespace solvers = gyre::solvers;

struct Contestant {
  std::string name;
  solvers::SolverOptions options;
  /// Trips for each point along the square's edge, and of the largest square.
  int trips_a_point;
  int trips_of_largest = 90;
};

std::vector<Contestant> contestants() {
  return {{"cg", {}, 3},
          {"cg with jacobi", {.preconditioner = solvers::Preconditioner::Jacobi}, 3},
          {"bicgstab", {.method = "bicgstab"}, 2, 20},
          {"gmres(30)", {.method = "gmres", .restart = 30}, 4}};
}

bench::SolveWays ways_of(const Contestant& one) {
  bench::SolveWays ways;
  for (const std::string& executor : bench::auto_and(bench::gyre_gpu_executors())) {
    if (executor == "host_branch") continue;
    ways.push_back(bench::make_gyre_solver(executor, one.options));
  }
  for (auto& rival : bench::rivals::make_solver_rivals(one.name)) ways.push_back(std::move(rival));
  return ways;
}

void measure(bench::Report& report) {
  const bool quick = report.options().quick;
  // One that disagrees does not keep the others from being measured.
  std::vector<bench::SolveContest> contests;
  for (const Contestant& one : contestants()) {
    bench::SolveContest& contest = contests.emplace_back(report, ways_of(one));
    for (const int side : {32, 64, 128, 256, 2048}) {
      if (quick && side != 32 && side != 256) continue;
      bench::DeviceSystem system(bench::Stencil{5, side});
      const int trips = side > 256 ? one.trips_of_largest : std::min(one.trips_a_point * side, 512);
      contest.run({one.name, system, {0, trips}, report.options().runs(15, 2)});
    }
  }
  for (const bench::SolveContest& contest : contests) contest.conclude();
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"solver_contest", "what a trip of each solver costs beside cuBLAS and cuSPARSE",
       "microseconds a trip"},
      measure);
}
