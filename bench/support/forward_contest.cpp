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

// So many runs are one way's turn; those that do not count come first in each, since what runs
// behind another way's work is slower.
constexpr int runs_of_a_turn = 20;
constexpr int warm_ups_of_a_turn = 4;

/// A way that can run here, and what its runs took.
struct Lane {
  ForwardWay* way;
  std::vector<double> times = {};

  void turn(const ForwardProblem& problem, ForwardBuffers& buffers) {
    std::size_t at = 0;
    const auto more = sample(warm_ups_of_a_turn, runs_of_a_turn, [&] {
      buffers.choose(problem.chosen[at++ % problem.chosen.size()]);
      return microseconds([&] { way->run(); });
    });
    times.insert(times.end(), more.begin(), more.end());
  }
};

std::vector<Lane> prepare(Report& report, const ForwardProblem& problem, const ForwardWays& ways,
                          ForwardBuffers& buffers) {
  std::vector<Lane> lanes;
  for (const auto& way : ways) {
    if (!report.wants(problem.name, way->name())) continue;
    try {
      way->prepare(problem.arms, buffers);
    } catch (const Error& error) {
      report.leave_out(problem.name, way->name(), error.what());
      continue;
    }
    check(problem, *way, buffers);
    lanes.push_back({way.get()});
  }
  return lanes;
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
  std::vector<Lane> lanes = prepare(report, problem, ways, buffers);
  for (int turn = 0; turn < report.options().runs(25, 1); ++turn) {
    for (Lane& lane : lanes) lane.turn(problem, buffers);
  }
  for (const Lane& lane : lanes) {
    nlohmann::json figures = problem.figures;
    figures["by"] = lane.way->is_gyre() ? "gyre" : "rival";
    figures["us"] = quantiles(lane.times);
    report.add(problem.name, lane.way->name(), figures);
  }
}

}  // namespace gyre::bench
