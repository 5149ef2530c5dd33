// How soon is a model's forward done whose path the data decides, by who decides and how?
//
// A model of eight blocks that leaves early, a mixture of eight experts by one switch and by groups
// of rows, and a gated cascade; in batches of 1, 8 and 64, with the long way taken as often as its
// problem says. From launch to result.
#include "rivals/hand_models.hpp"
#include "support/clock.hpp"
#include "support/model_way.hpp"
#include "support/report.hpp"

#include <cmath>
#include <iterator>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace bench = gyre::bench;

/// For so many microseconds a way is measured, in no more than 200 runs and no fewer than 50.
constexpr double long_enough = 40'000;

/// A model on all of its ways.
class Contest {
 public:
  Contest(bench::Report& report, const bench::ModelForward& model)
      : report_(report), model_(model), ways_(bench::make_gyre_models(model)) {
    auto rivals = bench::rivals::make_hand_models(model);
    std::move(rivals.begin(), rivals.end(), std::back_inserter(ways_));
  }

  /// Makes the ways that are asked for ready for the rows that the model has now; false where none
  /// is.
  bool prepare() {
    ready_.clear();
    for (const auto& way : ways_) {
      if (!report_.wants(model_.name(), way->name())) continue;
      try {
        way->prepare();
        ready_.push_back(way.get());
      } catch (const std::exception& error) {
        report_.leave_out(model_.name(), way->name(), error.what());
      }
    }
    return !ready_.empty();
  }

  void run(const std::string& problem, const std::vector<bench::Contents>& launches,
           const nlohmann::json& facts) {
    const std::string name = model_.name() + ", " + problem;
    std::vector<Lane> lanes = right_ones(name, launches);
    take_turns(lanes, launches);
    for (const Lane& lane : lanes) {
      nlohmann::json figures = facts;
      figures["rows"] = model_.rows();
      figures["by"] = lane.way->is_gyre() ? "gyre" : "rival";
      figures["us"] = bench::quantiles(lane.times);
      const double total = std::accumulate(lane.times.begin(), lane.times.end(), 0.0);
      figures["rows_per_s"] =
          static_cast<double>(model_.rows()) * static_cast<double>(lane.times.size()) / total * 1e6;
      report_.add(name, lane.way->name(), figures);
    }
  }

  /// Throws where a way was wrong.
  void conclude() const {
    if (wrong_.empty()) return;
    std::string message = "wrong results:";
    for (const std::string& name : wrong_) message += ' ' + name + ';';
    throw std::runtime_error(message);
  }

 private:
  /// What each of some launches has found.
  using Outputs = std::vector<std::vector<float>>;

  struct Lane {
    bench::ModelWay* way;
    std::vector<double> times = {};
  };

  // The ways that give what they should, of those that run at all.
  std::vector<Lane> right_ones(const std::string& name,
                               const std::vector<bench::Contents>& launches) {
    std::vector<Lane> lanes;
    Outputs expected;
    for (bench::ModelWay* way : ready_) {
      try {
        const Outputs found = outputs_of(*way, launches);
        const bool is_first = expected.empty();
        if (is_first ? is_plain(*way, found, launches) : are_same(*way, found, expected)) {
          lanes.push_back({way});
          if (is_first) expected = found;
        } else {
          wrong_.insert(way->name() + " of " + name);
        }
      } catch (const std::exception& error) {
        report_.leave_out(name, way->name(), error.what());
      }
    }
    return lanes;
  }

  void take_turns(std::vector<Lane>& lanes, const std::vector<bench::Contents>& launches) const {
    const int most = report_.options().runs(200, 4);
    for (int run = 0; run < most; ++run) {
      for (Lane& lane : lanes) {
        const double so_far = std::accumulate(lane.times.begin(), lane.times.end(), 0.0);
        if (run >= 50 && so_far > long_enough) continue;
        model_.choose(launches[static_cast<std::size_t>(run) % launches.size()]);
        lane.times.push_back(bench::microseconds([&] { lane.way->run(); }));
      }
    }
  }

  Outputs outputs_of(bench::ModelWay& way, const std::vector<bench::Contents>& launches) const {
    Outputs found;
    for (const bench::Contents& contents : launches) {
      model_.choose(contents);
      way.run();
      found.push_back(model_.output());
    }
    return found;
  }

  // The first way is compared with plain C++, the others with it.
  bool is_plain(const bench::ModelWay& way, const Outputs& found,
                const std::vector<bench::Contents>& launches) const {
    const auto plain = model_.plain_output(launches[0]);
    return differing(found[0], plain, tolerance_of(way)) == 0;
  }

  static bool are_same(const bench::ModelWay& way, const Outputs& found, const Outputs& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      // Rounded otherwise, one label in a hundred may be another.
      const std::size_t allowed = way.is_exact() ? 0 : found[i].size() / 100;
      if (differing(found[i], expected[i], tolerance_of(way)) > allowed) return false;
    }
    return true;
  }

  static float tolerance_of(const bench::ModelWay& way) { return way.is_exact() ? 0 : 1e-3F; }

  static std::size_t differing(const std::vector<float>& found, const std::vector<float>& expected,
                               float tolerance) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      count += !(std::abs(found[i] - expected[i]) <= tolerance);
    }
    return count;
  }

  bench::Report& report_;
  const bench::ModelForward& model_;
  bench::ModelWays ways_;
  std::vector<bench::ModelWay*> ready_;
  std::set<std::string> wrong_;
};

void measure_model(bench::Report& report, bench::ModelForward& model) {
  Contest contest(report, model);
  for (const std::int64_t rows : {1, 8, 64}) {
    model.resize(rows);
    if (!contest.prepare()) continue;
    const std::string of_rows = rows == 1 ? "1 row" : std::to_string(rows) + " rows";
    for (const int percent : {0, 25, 50, 75, 100}) {
      contest.run(of_rows + ", taken " + std::to_string(percent) + " %", model.launches(percent),
                  {{"model", model.name()}, {"taken_percent", percent}});
    }
    for (int blocks = 1; rows != 8 && blocks <= model.blocks(); ++blocks) {
      contest.run(of_rows + ", " + std::to_string(blocks) + " blocks",
                  model.launches_of_blocks(blocks),
                  {{"model", model.name()}, {"blocks_run", blocks}});
    }
  }
  contest.conclude();
}

void measure(bench::Report& report) {
  const bool small = report.options().quick;
  measure_model(report, *bench::make_early_exit(small));
  measure_model(report, *bench::make_mixture_by_switch(small));
  measure_model(report, *bench::make_mixture_by_groups(small));
  measure_model(report, *bench::make_cascade(small));
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"forwards", "how soon a model's forward is done, where data decides its path",
       "microseconds from launch to result"},
      measure);
}
