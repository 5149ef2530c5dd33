// What does a loop cost beside its body?
//
// Bodies of no, one, three and ten kernels over 65,536 floats and from 1 to 1,000 trips, from
// launch to result: gyre's executors, a host loop that reads after each trip, a WHILE graph written
// by hand, the same with its predicate interpreted, and a graph of all trips one behind the other,
// which decides nothing. Then loops in loops.
#include "gyre/text/parser.hpp"
#include "rivals/loops.hpp"
#include "support/clock.hpp"
#include "support/gyre_executors.hpp"
#include "support/gyre_loop.hpp"
#include "support/report.hpp"

#include <cmath>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

namespace bench = gyre::bench;
using bench::LoopShape;

constexpr std::size_t floats = 65536;

std::string name_of(const LoopShape& shape) {
  return std::to_string(shape.kernels) + (shape.kernels == 1 ? " kernel, " : " kernels, ") +
         std::to_string(shape.trips) + (shape.trips == 1 ? " trip" : " trips");
}

// What the buffers hold in the end, by the host.
std::pair<float, float> expected(const LoopShape& shape) {
  float a = 0;
  float b = 0;
  for (std::int64_t trip = 0; trip < shape.trips; ++trip) {
    for (int i = 0; i < shape.kernels; ++i) (i % 2 == 0 ? b : a) = (i % 2 == 0 ? a : b) + 1;
  }
  return {a, b};
}

void check(const LoopShape& shape, bench::LoopWay& way, bench::LoopBuffers& buffers) {
  buffers.reset();
  const std::int64_t trips = way.run();
  const auto [a, b] = expected(shape);
  const bool right = trips == shape.trips && buffers.a.to_host() == std::vector<float>(floats, a) &&
                     buffers.b.to_host() == std::vector<float>(floats, b);
  if (!right) throw std::logic_error(way.name() + " is wrong for " + name_of(shape));
}

void run_shape(bench::Report& report, const LoopShape& shape, const bench::LoopWays& ways,
               bench::LoopBuffers& buffers) {
  const std::string name = name_of(shape);
  for (const auto& way : ways) {
    if (!report.wants(name, way->name())) continue;
    try {
      way->prepare(shape, buffers);
    } catch (const std::exception& error) {
      report.leave_out(name, way->name(), error.what());
      continue;
    }
    check(shape, *way, buffers);
    const int runs = report.options().runs(shape.trips > 100 ? 15 : 101, 3);
    const auto times =
        bench::sample(2, runs, [&] { return bench::microseconds([&] { way->run(); }); });
    report.add(name, way->name(),
               {{"kernels", shape.kernels},
                {"trips", shape.trips},
                {"by", way->is_gyre() ? "gyre" : "rival"},
                {"us", bench::quantiles(times)},
                {"us_per_trip", bench::median(times) / static_cast<double>(shape.trips)}});
  }
}

// The same number of innermost trips, or nearly, at every depth.
void run_depth(bench::Report& report, int depth, const std::string& executor,
               bench::LoopBuffers& buffers) {
  const std::string name = "depth " + std::to_string(depth);
  if (!report.wants(name, executor)) return;
  try {
    auto nested =
        gyre::compile(gyre::text::parse_program("nested", bench::nested_loops_text(depth)),
                      {.executor = executor});
    const auto width = std::llround(std::pow(256.0, 1.0 / depth));
    nested.bind("a", buffers.a.data(), {static_cast<std::int64_t>(floats)});
    nested.bind("b", buffers.b.data(), {static_cast<std::int64_t>(floats)});
    nested.set("width", static_cast<std::int64_t>(width));
    nested.prepare();
    std::int64_t trips = 0;
    const auto times = bench::sample(2, report.options().runs(31, 3), [&] {
      return bench::microseconds([&] { trips = nested.run().get<std::int64_t>("done"); });
    });
    if (trips != std::llround(std::pow(width, depth))) throw std::logic_error("wrong trips");
    report.add(name, executor,
               {{"depth", depth},
                {"trips", trips},
                {"by", "gyre"},
                {"us", bench::quantiles(times)},
                {"us_per_trip", bench::median(times) / static_cast<double>(trips)}});
  } catch (const gyre::Error& error) {
    report.leave_out(name, executor, error.what());
  }
}

void measure(bench::Report& report) {
  const auto executors = bench::auto_and(bench::gyre_gpu_executors());
  bench::LoopWays ways = bench::make_gyre_loops(executors);
  auto rivals = bench::rivals::make_loop_rivals();
  std::move(rivals.begin(), rivals.end(), std::back_inserter(ways));
  bench::LoopBuffers buffers(floats);
  for (const int kernels : {0, 1, 3, 10}) {
    for (const std::int64_t trips : {1, 2, 5, 10, 50, 200, 1000}) {
      if (report.options().quick && trips != 10) continue;
      run_shape(report, {kernels, trips}, ways, buffers);
    }
  }
  for (const int depth : {1, 2, 3, 4}) {
    for (const auto& executor : executors) run_depth(report, depth, executor, buffers);
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"loop_tax", "what a loop costs beside its body, from launch to result", "microseconds"},
      measure);
}
