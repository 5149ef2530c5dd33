// What does each way of asking the host cost? Conjugate gradients on every mode of host_branch,
// beside device_graph, which asks nothing.
#include "gyre/executors/gpu.hpp"
#include "support/gyre_cg.hpp"
#include "support/report.hpp"
#include "support/solve_contest.hpp"

#include <string>
#include <utility>

namespace {

namespace bench = gyre::bench;
using gyre::executors::HostBranchOptions;

struct Flag {
  const char* name;
  HostBranchOptions::Flag flag;
};
constexpr Flag flags[] = {{"pageable", HostBranchOptions::Flag::Pageable},
                          {"pinned", HostBranchOptions::Flag::Pinned},
                          {"polled", HostBranchOptions::Flag::Polled}};

bench::SolveWays make_modes() {
  bench::SolveWays ways = bench::make_gyre_cgs({"device_graph"});
  for (const Flag& flag : flags) {
    for (const bool graphs : {false, true}) {
      for (const unsigned every : {1U, 8U}) {
        const HostBranchOptions options{flag.flag, graphs, every};
        ways.push_back(bench::make_gyre_cg_on(
            std::string(flag.name) + (graphs ? ", segment graphs" : ", launches") + ", every " +
                (every == 1 ? "trip" : std::to_string(every) + " trips"),
            "host_branch", [options](std::shared_ptr<const gyre::plan::Plan> plan) {
              return gyre::executors::make_host_branch_executor(std::move(plan), options);
            }));
      }
    }
  }
  return ways;
}

void measure(bench::Report& report) {
  bench::SolveContest contest(report, make_modes());
  for (const int side : {32, 256}) {
    bench::DeviceSystem system(bench::Stencil{5, side});
    contest.run({"5 points, n = " + std::to_string(system.rows()),
                 system,
                 {0, report.options().quick ? 50 : 512},
                 report.options().runs(7, 1)});
  }
  contest.conclude();
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(count, words,
                              {"host_branch_modes", "what each way of asking the host costs",
                               "microseconds a trip of conjugate gradients"},
                              measure);
}
