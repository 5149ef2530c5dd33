// How soon is a model's forward done whose path the data decides, by who decides and how?
//
// A model of eight blocks that leaves early, a mixture of eight experts by one switch and by groups
// of rows, and a gated cascade; in batches of 1, 8 and 64, with the long way taken as often as its
// problem says. From launch to result.
#include "rivals/hand_models.hpp"
#include "support/clock.hpp"
#include "support/model_way.hpp"
#include "support/report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>

namespace {

namespace bench = gyre::bench;

/// For so many microseconds each row is measured, in no more than 200 runs and no fewer than 50.
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
    std::vector<std::vector<float>> expected;
    for (bench::ModelWay* way : ready_) {
      try {
        check(*way, launches, expected);
        nlohmann::json figures = facts;
        figures["rows"] = model_.rows();
        figures["by"] = way->is_gyre() ? "gyre" : "rival";
        add_times(*way, launches, figures);
        report_.add(model_.name() + ", " + problem, way->name(), figures);
      } catch (const std::exception& error) {
        report_.leave_out(model_.name() + ", " + problem, way->name(), error.what());
      }
    }
  }

 private:
  // The first way is compared with plain C++, the others with it.
  void check(bench::ModelWay& way, const std::vector<bench::Contents>& launches,
             std::vector<std::vector<float>>& expected) {
    const bool is_first = expected.empty();
    for (std::size_t i = 0; i < launches.size(); ++i) {
      model_.choose(launches[i]);
      way.run();
      auto found = model_.output();
      if (is_first && i == 0) {
        auto plain = model_.plain_output(launches[0]);
        const float tolerance = way.is_exact() ? 0 : 1e-3F;
        if (differing(found, plain, tolerance) != 0) throw std::logic_error("not as plain C++");
      }
      if (is_first) {
        expected.push_back(std::move(found));
        continue;
      }
      // Rounded otherwise, one label in a hundred may be another.
      const std::size_t allowed = way.is_exact() ? 0 : found.size() / 100;
      if (differing(found, expected[i], way.is_exact() ? 0 : 1e-3F) > allowed) {
        throw std::logic_error("not the same result");
      }
    }
  }

  static std::size_t differing(const std::vector<float>& found, const std::vector<float>& expected,
                               float tolerance) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      count += !(std::abs(found[i] - expected[i]) <= tolerance);
    }
    return count;
  }

  void add_times(bench::ModelWay& way, const std::vector<bench::Contents>& launches,
                 nlohmann::json& figures) {
    std::size_t at = 0;
    const auto once = [&] {
      model_.choose(launches[at++ % launches.size()]);
      return bench::microseconds([&] { way.run(); });
    };
    const double about = bench::median(bench::sample(0, static_cast<int>(launches.size()), once));
    const int runs = std::clamp(static_cast<int>(long_enough / about), 50, 200);
    const auto times = bench::sample(0, report_.options().runs(runs, 4), once);
    const double mean =
        std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
    figures["us"] = bench::quantiles(times);
    figures["rows_per_s"] = static_cast<double>(model_.rows()) / mean * 1e6;
  }

  bench::Report& report_;
  const bench::ModelForward& model_;
  bench::ModelWays ways_;
  std::vector<bench::ModelWay*> ready_;
};

void measure(bench::Report& report) {
  const bool small = report.options().quick;
  const auto early_exit = bench::make_early_exit(small);
  const auto by_switch = bench::make_mixture_by_switch(small);
  const auto by_groups = bench::make_mixture_by_groups(small);
  const auto cascade = bench::make_cascade(small);
  for (bench::ModelForward* model :
       {early_exit.get(), by_switch.get(), by_groups.get(), cascade.get()}) {
    Contest contest(report, *model);
    for (const std::int64_t rows : {1, 8, 64}) {
      model->resize(rows);
      if (!contest.prepare()) continue;
      const std::string of_rows = rows == 1 ? "1 row" : std::to_string(rows) + " rows";
      for (const int percent : {0, 25, 50, 75, 100}) {
        contest.run(of_rows + ", taken " + std::to_string(percent) + " %", model->launches(percent),
                    {{"model", model->name()}, {"taken_percent", percent}});
      }
      if (model != early_exit.get() || rows == 8) continue;
      for (int blocks = 1; blocks <= 8; ++blocks) {
        contest.run(of_rows + ", " + std::to_string(blocks) + " blocks",
                    bench::launches_of_blocks(*early_exit, blocks),
                    {{"model", model->name()}, {"blocks_run", blocks}});
      }
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"forwards", "how soon a model's forward is done, where data decides its path",
       "microseconds from launch to result"},
      measure);
}
