// Do launches get in each other's way? From 1 to 16 threads, each with an executable of its own or
// all with the same, and as many loops at once as the device runs.
#include "gyre/text/parser.hpp"
#include "support/clock.hpp"
#include "support/gyre_cg.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"

#include <string>
#include <thread>
#include <vector>

namespace {

namespace bench = gyre::bench;

constexpr const char* count_text = R"(program count() {
  in k: i64
  out n: i64
  while n < k { n += 1 }
}
)";
constexpr std::int64_t trips = 10;
constexpr std::int64_t trips_of_long_loop = 1000;

std::vector<gyre::Executable> make_loops(int count, const std::string& executor,
                                         std::int64_t limit) {
  std::vector<gyre::Executable> loops;
  for (int i = 0; i < count; ++i) {
    loops.push_back(gyre::compile(gyre::text::parse_program("count", count_text),
                                  {.executor = executor, .overlap = gyre::Overlap::Queue}));
    loops.back().set("k", limit);
    loops.back().prepare();
    static_cast<void>(loops.back().run());
  }
  return loops;
}

// Each thread launches and waits, again and again.
void run_threads(bench::Report& report, int threads, bool shared, const std::string& executor) {
  const std::string name = std::to_string(threads) + (threads == 1 ? " thread" : " threads") +
                           (shared ? ", one executable" : ", an executable each");
  if (!report.wants(name, executor)) return;
  const int launches = report.options().runs(300, 5);
  auto loops = make_loops(shared ? 1 : threads, executor, trips);
  const double us = bench::microseconds([&] {
    std::vector<std::jthread> running;
    for (int thread = 0; thread < threads; ++thread) {
      running.emplace_back([&, thread] {
        gyre::Executable& loop = loops[shared ? 0 : static_cast<std::size_t>(thread)];
        for (int i = 0; i < launches; ++i) static_cast<void>(loop.run());
      });
    }
  });
  report.add(name, executor,
             {{"threads", threads},
              {"us_per_launch", us / launches / threads},
              {"us_per_launch_of_a_thread", us / launches}});
}

// The same loops one after the other and at once, each on a stream of its own.
void run_at_once(bench::Report& report, int count, const std::string& executor) {
  const std::string name = std::to_string(count) + (count == 1 ? " loop" : " loops") + " at once";
  if (!report.wants(name, executor)) return;
  auto loops = make_loops(count, executor, trips_of_long_loop);
  const double in_turn = bench::microseconds([&] {
    for (auto& loop : loops) static_cast<void>(loop.run());
  });
  const double at_once = bench::microseconds([&] {
    std::vector<gyre::Launch> launches;
    for (auto& loop : loops) launches.push_back(loop.launch());
    for (auto& launch : launches) static_cast<void>(launch.result());
  });
  report.add(
      name, executor,
      {{"loops", count}, {"trips", trips_of_long_loop}, {"us", at_once}, {"in_turn_us", in_turn}});
}

void measure(bench::Report& report) {
  for (const std::string& executor : bench::gyre_gpu_executors()) {
    try {
      for (const bool shared : {false, true}) {
        for (const int threads : {1, 2, 4, 8, 16}) run_threads(report, threads, shared, executor);
      }
      for (const int count : {1, 4, 16, 64}) {
        if (!report.options().quick || count <= 4) run_at_once(report, count, executor);
      }
    } catch (const gyre::Error& error) {
      report.leave_out("launches", executor, error.what());
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words, {"many_launches", "whether launches get in each other's way", "microseconds"},
      measure);
}
