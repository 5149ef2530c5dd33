// What does a fork gain? Independent loops of small kernels as arms of a fork, beside the same
// loops one after the other.
#include "gyre/base/error.hpp"
#include "gyre/runtime/executable.hpp"
#include "gyre/text/parser.hpp"
#include "support/clock.hpp"
#include "support/device_array.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;

/// What each arm does.
struct Work {
  const char* name;
  std::int64_t points;
  std::int64_t trips;
};

/// A loop over a buffer of its own: two sweeps that read neighbours, and a fold that ends it.
std::string loop_of(int arm) {
  const std::string n = std::to_string(arm);
  const std::string x = "x" + n;
  const std::string y = "y" + n;
  return "    while s" + n + " < 1e300 && t" + n + " < trips {\n      foreach i in 0..n { " + y +
         "[i] = 0.5 * (" + x + "[i] + " + x + "[(i + 1) % n]) }\n      foreach i in 0..n { " + x +
         "[i] = 0.25 * (" + y + "[i] + 3 * " + y + "[(i + 2) % n]) }\n      s" + n +
         " = sum(i in 0..n) " + x + "[i]\n      t" + n + " += 1\n    }\n";
}

std::string program_of(int arms, bool forks) {
  std::string text = "program loops(n: size) {\n  in trips: i32\n";
  for (int arm = 0; arm < arms; ++arm) {
    const std::string n = std::to_string(arm);
    text += "  inout x" + n + ": f64[n]\n  out s" + n + ": f64, t" + n + ": i32\n  temp y" + n +
            ": f64[n]\n";
  }
  text += forks ? "  fork {\n" : "";
  for (int arm = 0; arm < arms; ++arm) {
    if (forks && arm != 0) text += "  } and {\n";
    text += loop_of(arm);
  }
  return text + (forks ? "  }\n" : "") + "}\n";
}

/// The loops, and what they leave.
class Loops {
 public:
  Loops(int arms, bool forks, const Work& work, const std::string& executor)
      : executable_(gyre::compile(gyre::text::parse_program("loops", program_of(arms, forks)),
                                  {.executor = executor})) {
    for (int arm = 0; arm < arms; ++arm) {
      x_.emplace_back(std::vector<double>(static_cast<std::size_t>(work.points), 0.25 + arm));
      executable_.bind("x" + std::to_string(arm), x_.back().data(), {work.points});
    }
    executable_.set("trips", work.trips);
    executable_.prepare();
  }

  double run() {
    return bench::microseconds([&] { result_.emplace_back(executable_.run()); });
  }
  /// The sums of the last run.
  std::vector<double> sums() const {
    std::vector<double> found;
    for (std::size_t arm = 0; arm < x_.size(); ++arm) {
      found.push_back(result_.back().get<double>("s" + std::to_string(arm)));
    }
    return found;
  }

 private:
  gyre::Executable executable_;
  std::vector<bench::DeviceArray<double>> x_;
  std::vector<gyre::Result> result_;
};

void compare(bench::Report& report, int arms, const Work& work, const std::string& executor) {
  const std::string name = std::to_string(arms) + " loops of " + work.name;
  if (!report.wants(name, executor)) return;
  Loops in_turn(arms, false, work, executor);
  Loops at_once(arms, true, work, executor);
  // In turns, so that what else the machine does falls on both.
  std::vector<double> turn_us;
  std::vector<double> once_us;
  for (int run = 0; run < 3 + report.options().runs(30, 2); ++run) {
    const double turn = in_turn.run();
    const double once = at_once.run();
    if (in_turn.sums() != at_once.sums()) throw gyre::Error("a fork gave other sums");
    if (run < 3) continue;
    turn_us.push_back(turn);
    once_us.push_back(once);
  }
  report.add(name, executor,
             {{"arms", arms},
              {"points", work.points},
              {"trips", work.trips},
              {"in_turn_us", bench::quantiles(turn_us)},
              {"at_once_us", bench::quantiles(once_us)},
              {"gain", bench::median(turn_us) / bench::median(once_us)}});
}

void measure(bench::Report& report) {
  constexpr Work works[] = {{"small kernels, n = 1,000", 1000, 500},
                            {"kernels that fill a part of the device, n = 65,536", 65536, 200},
                            {"kernels that fill the device, n = 4,000,000", 4000000, 20}};
  for (const std::string& executor : bench::gyre_gpu_executors()) {
    try {
      for (const Work& work : works) {
        if (report.options().quick && work.points > 1000) continue;
        compare(report, 2, work, executor);
      }
      if (!report.options().quick) {
        for (const int arms : {4, 8}) compare(report, arms, works[0], executor);
      }
    } catch (const gyre::Error& error) {
      report.leave_out("forks", executor, error.what());
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words, {"fork", "what arms that run at once gain", "microseconds a launch"}, measure);
}
