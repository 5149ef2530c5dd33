// What does an iteration of conjugate gradients cost, on every executor and on every rival?
//
// Generated matrices of 5, 7 and 27 points, each with a fixed number of trips, and those of the
// folder that GYRE_MATRICES names, to rtol 1e-8. All ways take turns; a time is from launch to
// result, by the host's clock, divided by the trips. Every way's solution is compared with the
// first way's: gyre's and the hand-written ones must have the same bits, the libraries' may differ
// by rounding.
#include "gyre/io/matrix_market.hpp"
#include "rivals/cg_rivals.hpp"
#include "support/gyre_cg.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"
#include "support/solve_contest.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace {

namespace bench = gyre::bench;
using bench::DeviceSystem;
using bench::SolveContest;

// As many trips as take a fraction of a second, and not so many that the residual becomes zero.
int trips_for(const DeviceSystem& system, int side) {
  const auto quick = std::max<std::int64_t>(600'000'000 / system.entries(), 10);
  return static_cast<int>(std::min<std::int64_t>({quick, 16 * side, 512}));
}

void run_stencil(bench::Report& report, SolveContest& contest, int points, int side) {
  const bench::Stencil stencil{points, side};
  const std::string name = std::to_string(points) + " points";
  DeviceSystem system(stencil);
  const int most = trips_for(system, side);
  std::set<int> counts = {most};
  if (points == 5 && most > 50 && !report.options().quick) counts.insert({10, 50});
  for (const int trips : counts) {
    contest.run({name, system, {0, trips}, report.options().runs(trips < most ? 15 : 5, 2)});
  }
}

void run_real_matrices(bench::Report& report, SolveContest& contest) {
  const char* folder = std::getenv("GYRE_MATRICES");
  if (folder == nullptr) {
    report.leave_out("real matrices", "all", "GYRE_MATRICES names no folder of .mtx files");
    return;
  }
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".mtx") continue;
    const std::string name = file.path().stem();
    const auto matrix = gyre::io::read_matrix(file.path());
    if (!gyre::io::is_symmetric(matrix) || gyre::io::row_without_diagonal(matrix)) {
      report.leave_out(name, "all", "not symmetric, or without a diagonal");
      continue;
    }
    DeviceSystem system(matrix);
    contest.run({name, system, {1e-8, 5000}, report.options().runs(3, 1)});
  }
}

void measure(bench::Report& report) {
  bench::SolveWays ways = bench::make_gyre_cgs(bench::auto_and(bench::gyre_executors()));
  auto rivals = bench::rivals::make_cg_rivals();
  std::move(rivals.begin(), rivals.end(), std::back_inserter(ways));
  SolveContest contest(report, std::move(ways));
  const bool quick = report.options().quick;
  for (int side = 16; side <= (quick ? 256 : 4096); side *= quick ? 4 : 2) {
    run_stencil(report, contest, 5, side);
  }
  for (const int points : {7, 27}) {
    for (int side = 16; side <= (quick ? 16 : 256); side *= 4) {
      run_stencil(report, contest, points, side);
    }
  }
  run_real_matrices(report, contest);
  contest.conclude();
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"cg_per_trip", "what a trip of conjugate gradients costs, from launch to result",
       "microseconds a trip"},
      measure);
}
