// Where the time of a loop goes: when each trip of each loop started, kept on the device itself
// without stopping it. Open the file that is written in https://ui.perfetto.dev.
#include <gyre/gyre.hpp>
#include <gyre/runtime/trace.hpp>

#include <cstdio>
#include <fstream>
#include <vector>

constexpr auto text = R"(
program converge(n: size) {
  inout x: f64[n]
  out   rounds: i32, steps: i32
  var   change: f64 = 1.0
  while change > 1e-9 {
    # The more it has settled, the fewer steps a round takes.
    for s in 0..min(8, i32(change * 64.0) + 1) {
      foreach i in 0..n { x[i] = 0.5 * (x[i] + 2.0 / x[i]) }
      steps += 1
    }
    change = max(i in 0..n) abs(x[i] * x[i] - 2.0)
    rounds += 1
  }
}
)";

int main() {
  auto converge = gyre::compile(gyre::parse_program("converge.gyre", text));
  std::vector<double> x(10'000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 + static_cast<double>(i);
  converge.bind("x", x);

  gyre::Trace trace;
  const auto result = converge.run(&trace);

  std::ofstream("converge.json") << trace.to_chrome_json();
  std::puts("in converge.json:");
  for (const auto& event : trace.events()) {
    std::printf("%9.2f us  %s, trip %llu\n", static_cast<double>(event.at.count()) / 1e3,
                std::string(event.region).c_str(), static_cast<unsigned long long>(event.trip));
  }
  const bool complete = trace.events().size() == result.total_trips() && trace.dropped() == 0;
  return result.completed() && complete ? 0 : 1;
}
