// How soon is a forward with one branch done, where data on the GPU decides?
//
// h = 2 x; if p then h + 1 else h - 1, over 65,536 floats, from launch to result. The arms are
// expressions, calls of the user's kernels that promise a guard, or calls that promise nothing.
#include "support/forward_contest.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"

#include <string>

namespace {

namespace bench = gyre::bench;

void measure(bench::Report& report) {
  const bench::ForwardWays ways =
      bench::make_forward_ways(bench::auto_and(bench::gyre_gpu_executors()));
  const auto run = [&](int percent, std::vector<std::int32_t> chosen) {
    bench::run_forwards(report,
                        {"taken " + std::to_string(percent) + " %",
                         2,
                         std::move(chosen),
                         {{"taken_percent", percent}}},
                        ways);
  };
  run(0, {0});
  run(50, {0, 1});
  run(100, {1});
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"branch_latency", "how soon a forward with one branch is done, where data decides",
       "microseconds from launch to result"},
      measure);
}
