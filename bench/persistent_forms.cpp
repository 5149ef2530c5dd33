// What does a trip cost where the loop is one kernel? Conjugate gradients on every form of
// persistent, with fewer and more threads a block, beside device_graph.
#include "gyre/executors/gpu.hpp"
#include "support/cg_contest.hpp"
#include "support/gyre_cg.hpp"
#include "support/report.hpp"

#include <memory>
#include <string>
#include <utility>

namespace {

namespace bench = gyre::bench;
using Form = gyre::executors::PersistentOptions::Form;

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

bench::CgWays make_forms() {
  bench::CgWays ways = bench::make_gyre_cgs({"device_graph"});
  for (const Crew& crew : crews) {
    ways.push_back(bench::make_gyre_cg_on(
        crew.name, "persistent", [&crew](std::shared_ptr<const gyre::plan::Plan> plan) {
          return gyre::executors::make_persistent_executor(std::move(plan), crew.options);
        }));
  }
  return ways;
}

void measure(bench::Report& report) {
  bench::CgContest contest(report, make_forms());
  for (const int side : {16, 32, 45, 64, 90, 128, 256, 367, 512}) {
    bench::CgSystem system(bench::Stencil{5, side});
    contest.run({"5 points, n = " + std::to_string(system.rows()),
                 system,
                 {0, report.options().quick ? 50
                     : 16 * side < 512      ? 16 * side
                                            : 512},
                 report.options().runs(7, 1)});
  }
  contest.conclude();
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(count, words,
                              {"persistent_forms", "what a trip costs where the loop is one kernel",
                               "microseconds a trip of conjugate gradients"},
                              measure);
}
