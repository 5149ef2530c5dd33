// What does the number of cases cost? A forward with one switch, where data on the GPU decides,
// from launch to result; every case is taken in turn.
#include "support/forward_contest.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"

#include <numeric>
#include <string>

namespace {

namespace bench = gyre::bench;

void measure(bench::Report& report) {
  const bench::ForwardWays ways = bench::make_forward_ways(bench::gyre_gpu_executors());
  for (const int width : {3, 16, 64}) {
    if (report.options().quick && width > 3) break;
    std::vector<std::int32_t> chosen(static_cast<std::size_t>(width));
    std::iota(chosen.begin(), chosen.end(), 0);
    bench::run_forwards(
        report, {std::to_string(width) + " cases", width, chosen, {{"cases", width}}}, ways);
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"switch_width", "what the number of cases costs in a forward with one switch",
       "microseconds from launch to result"},
      measure);
}
