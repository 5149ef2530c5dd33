#include "support/forward_contest.hpp"

#include "gyre/base/error.hpp"
#include "rivals/forwards.hpp"
#include "support/clock.hpp"
#include "support/gyre_forward.hpp"

#include <iterator>
#include <stdexcept>
#include <utility>

namespace gyre::bench {
namespace {

constexpr std::size_t floats = 65536;

void check(const ForwardProblem& problem, ForwardWay& way, ForwardBuffers& buffers) {
  for (const std::int32_t arm : problem.chosen) {
    buffers.y.clear();
    buffers.choose(arm);
    way.run();
    if (buffers.hold_result_of(arm)) continue;
    throw std::logic_error(way.name() + " is wrong for arm " + std::to_string(arm) + " of " +
                           problem.name);
  }
}

std::vector<double> time(const ForwardProblem& problem, ForwardWay& way, ForwardBuffers& buffers,
                         int runs) {
  std::size_t at = 0;
  return sample(static_cast<int>(problem.chosen.size()), runs, [&] {
    buffers.choose(problem.chosen[at++ % problem.chosen.size()]);
    return microseconds([&] { way.run(); });
  });
}

}  // namespace

ForwardWays make_forward_ways(const std::vector<std::string>& executors) {
  ForwardWays ways = make_gyre_forwards(executors);
  auto rivals = rivals::make_forward_rivals();
  std::move(rivals.begin(), rivals.end(), std::back_inserter(ways));
  return ways;
}

void run_forwards(Report& report, const ForwardProblem& problem, const ForwardWays& ways) {
  ForwardBuffers buffers(floats);
  for (const auto& way : ways) {
    if (!report.wants(problem.name, way->name())) continue;
    try {
      way->prepare(problem.arms, buffers);
    } catch (const Error& error) {
      report.leave_out(problem.name, way->name(), error.what());
      continue;
    }
    check(problem, *way, buffers);
    const auto times = time(problem, *way, buffers, report.options().runs(300, 5));
    nlohmann::json figures = problem.figures;
    figures["by"] = way->is_gyre() ? "gyre" : "rival";
    figures["us"] = quantiles(times);
    report.add(problem.name, way->name(), figures);
  }
}

}  // namespace gyre::bench
