#include "support/solve_contest.hpp"

#include "support/clock.hpp"

#include <algorithm>
#include <cstddef>
#include <exception>
#include <numeric>
#include <random>
#include <stdexcept>
#include <utility>

namespace gyre::bench {
namespace {

/// Two solutions that rounding has driven apart by more than this are not the same system's.
constexpr double tolerance = 1e-6;
/// The executor on the host is left out past so many rows: it would take most of the time.
constexpr std::int64_t most_rows_on_host = 1 << 16;

}  // namespace

/// A way that this problem is measured on, and what it has shown.
struct SolveContest::Lane {
  SolveWay* way;
  SolveOutcome outcome = {};
  double difference = 0;
  double residual = 0;
  std::vector<double> times = {};

  // Solves once, and compares the solution with that of the first lane.
  void check(DeviceSystem& system, DeviceArray<double>& first) {
    way->reset(system);
    outcome = way->solve();
    way->deliver(system);
    if (first.size() == 0) first = DeviceArray<double>(system.x.to_host());
    difference = relative_difference(system.x, first);
    residual = relative_residual(system);
  }

  nlohmann::json figures(const DeviceSystem& system) const {
    nlohmann::json row = {{"n", system.rows()},
                          {"nnz", system.entries()},
                          {"by", way->executor().empty() ? "rival" : "gyre"},
                          {"trips", outcome.trips},
                          {"us_per_trip", quantiles_of_parts(times, outcome.trips)},
                          {"difference", difference},
                          {"residual", residual}};
    if (!way->executor().empty()) row["executor"] = way->executor();
    if (outcome.host_syncs >= 0) row["host_syncs"] = outcome.host_syncs;
    return row;
  }
};

SolveContest::SolveContest(Report& report, SolveWays ways)
    : report_(report), ways_(std::move(ways)) {}

std::vector<SolveContest::Lane> SolveContest::prepare(const SolveProblem& problem) {
  DeviceArray<double> first;
  std::vector<Lane> lanes;
  for (const auto& way : ways_) {
    if (!report_.wants(problem.name, way->name())) continue;
    if (way->name() == "cpu" && problem.system.rows() > most_rows_on_host) continue;
    SolveLimits limits = problem.limits;
    if (way->knows_trips() && !lanes.empty()) limits.max_trips = lanes[0].outcome.trips;
    try {
      way->prepare(problem.system, limits);
      Lane lane{way.get()};
      lane.check(problem.system, first);
      lanes.push_back(std::move(lane));
    } catch (const std::exception& error) {
      report_.leave_out(problem.name, way->name(), error.what());
    }
  }
  return lanes;
}

void SolveContest::run(const SolveProblem& problem) {
  std::vector<Lane> lanes = prepare(problem);
  // In another order each time: who comes behind a way that lets the device rest is slower for it.
  std::vector<std::size_t> order(lanes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  for (int run = 0; run < problem.runs; ++run) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t at : order) {
      Lane& lane = lanes[at];
      lane.way->reset(problem.system);
      lane.times.push_back(microseconds([&] { lane.way->solve(); }));
    }
  }
  for (const Lane& lane : lanes) {
    report_.add(problem.name, lane.way->name(), lane.figures(problem.system));
    if (!(lane.difference <= tolerance)) disagreeing_.insert(lane.way->name());
  }
}

void SolveContest::conclude() const {
  if (disagreeing_.empty()) return;
  std::string message = "not the same solution:";
  for (const std::string& name : disagreeing_) message += ' ' + name + ';';
  throw std::runtime_error(message);
}

}  // namespace gyre::bench
