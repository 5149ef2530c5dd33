// What do buckets cost, and what do they save? A forward of two layers for requests of 1 to 64
// rows: making a bucket ready, running it, and running without one; what executables hold and what
// the driver takes beside that; a stream of requests under each way to serve it; and inputs that
// are copied while the launch before still runs.
#include "gyre/dispatch/break_even.hpp"
#include "gyre/dispatch/dispatcher.hpp"
#include "gyre/dispatch/plan_buckets.hpp"
#include "gyre/runtime/input_ring.hpp"
#include "gyre/text/parser.hpp"
#include "support/clock.hpp"
#include "support/device_array.hpp"
#include "support/report.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
namespace dispatch = gyre::dispatch;
using bench::microseconds;

constexpr std::int64_t width = 64;
constexpr std::int64_t most_rows = 64;
constexpr const char* device = "device_graph";
constexpr const char* eager = "host_branch";

// Adds a forward's result to what is kept for each row, and leaves padding alone.
constexpr const char* forward_text = R"(program forward(n: size, d: size) {
  in    x: f32[n, d], w1: f32[d, d], w2: f32[d, d], live: i64
  inout kept: f32[n, d]
  temp  h: f32[n, d], g: f32[n, d]
  foreach i in 0..n, j in 0..d { h[i, j] = max(f32(0), sum(k in 0..d) x[i, k] * w1[j, k]) }
  foreach i in 0..n, j in 0..d { g[i, j] = sum(k in 0..d) h[i, k] * w2[j, k] }
  foreach i in 0..n, j in 0..d {
    if i < live { kept[i, j] += g[i, j] }
  }
}
)";

constexpr const char* sweeps_text = R"(program sweeps(n: size) {
  in  x: f64[n], k: i32
  out total: f64
  for i in 0..k { total += sum(j in 0..n) x[j] }
}
)";

std::size_t free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  bench::must(cudaMemGetInfo(&free, &total));
  return free;
}

/// A server's memory, for the largest request.
struct Server {
  bench::DeviceArray<float> x{std::vector<float>(most_rows * width, 0.5F)};
  bench::DeviceArray<float> w1{std::vector<float>(width * width, 0.01F)};
  bench::DeviceArray<float> w2{std::vector<float>(width * width, 0.02F)};
  bench::DeviceArray<float> kept{std::vector<float>(most_rows * width, 0.0F)};

  dispatch::Dispatcher::Bind bind() const {
    return [this](gyre::Executable& executable, std::int64_t rows) {
      executable.bind("x", x.data(), {rows, width});
      executable.bind("w1", w1.data(), {width, width});
      executable.bind("w2", w2.data(), {width, width});
      executable.bind("kept", kept.data(), {rows, width});
    };
  }
  gyre::Executable make(const std::string& executor, std::int64_t rows,
                        std::shared_ptr<gyre::SharedArena> arena = nullptr) const {
    auto executable = gyre::compile(gyre::text::parse_program("forward", forward_text),
                                    {.executor = executor, .arena = std::move(arena)});
    bind()(executable, rows);
    executable.set("live", rows);
    executable.prepare();
    return executable;
  }
};

double us_of_run(bench::Report& report, gyre::Executable& executable) {
  return bench::median(bench::sample(20, report.options().runs(300, 5), [&] {
    return microseconds([&] { static_cast<void>(executable.run()); });
  }));
}

/// What each size costs, measured at powers of two; a size between costs what the next one does.
using Costs = std::map<std::int64_t, dispatch::ShapeCost>;

Costs measure_costs(bench::Report& report, const Server& server) {
  Costs costs;
  for (std::int64_t rows = 1; rows <= most_rows; rows *= 2) {
    dispatch::ShapeCost& cost = costs[rows];
    cost.capture = bench::median(bench::sample(1, report.options().runs(9, 1), [&] {
      return microseconds([&] { server.make(device, rows); });
    }));
    auto replayed = server.make(device, rows);
    auto launched = server.make(eager, rows);
    cost.replay = us_of_run(report, replayed);
    cost.eager = us_of_run(report, launched);
    const auto even = dispatch::break_even(cost);
    report.add(std::to_string(rows) + " rows", "a bucket",
               {{"capture_us", cost.capture},
                {"replay_us", cost.replay},
                {"eager_us", cost.eager},
                {"even_after", even ? nlohmann::json(*even) : nlohmann::json("never")}});
  }
  return costs;
}

// Of one executable for each power of two, with temporaries of their own and in one arena.
std::size_t measure_memory(bench::Report& report, const Server& server) {
  std::size_t driver_bytes = 0;
  for (const bool shares : {false, true}) {
    constexpr std::size_t rounds = 8;
    const auto arena = shares ? std::make_shared<gyre::SharedArena>() : nullptr;
    std::vector<gyre::Executable> made;
    std::size_t held = 0;
    const std::size_t before = free_bytes();
    for (std::size_t round = 0; round < rounds; ++round) {
      for (std::int64_t rows = 1; rows <= most_rows; rows *= 2) {
        made.push_back(server.make(device, rows, arena));
        held += made.back().held_bytes();
      }
    }
    if (arena) held += arena->held_bytes();
    const std::size_t taken = before - free_bytes();
    driver_bytes = (taken - std::min(held, taken)) / made.size();
    report.add("memory of " + std::to_string(made.size()) + " executables",
               shares ? "one arena" : "an arena each",
               {{"held_bytes", held}, {"taken_bytes", taken}, {"driver_bytes_each", driver_bytes}});
  }
  return driver_bytes;
}

// Sizes of which small ones come more often, the same every time.
std::vector<std::int64_t> make_requests(std::size_t count) {
  std::minstd_rand random(7);
  std::vector<std::int64_t> requests;
  while (requests.size() < count) {
    const auto most = static_cast<std::int64_t>(random() % most_rows) + 1;
    requests.push_back(static_cast<std::int64_t>(random()) % most + 1);
  }
  return requests;
}

dispatch::Buckets plan_for(const std::vector<std::int64_t>& requests, const Costs& costs,
                           std::size_t driver_bytes) {
  dispatch::Histogram histogram;
  for (const std::int64_t rows : requests) ++histogram[rows];
  const auto cost_of = [&](std::int64_t rows) { return costs.lower_bound(rows)->second; };
  return dispatch::plan_buckets(
             histogram, {.capture = [&](std::int64_t rows) { return cost_of(rows).capture; },
                         .replay = [&](std::int64_t rows) { return cost_of(rows).replay; },
                         .eager = [&](std::int64_t rows) { return cost_of(rows).eager; },
                         .bytes = [=](std::int64_t) { return driver_bytes; }})
      .sizes();
}

void serve(bench::Report& report, const Server& server, const std::string& way,
           const dispatch::Buckets& buckets, const std::vector<std::int64_t>& requests) {
  dispatch::Dispatcher dispatcher(
      gyre::text::parse_program("forward", forward_text),
      {.buckets = buckets, .compile = {.executor = device}, .eager_executor = eager});
  const double all = microseconds([&] {
    for (const std::int64_t rows : requests) {
      static_cast<void>(dispatcher.run(rows, server.bind()));
    }
  });
  const double again = microseconds([&] {
    for (const std::int64_t rows : requests) {
      static_cast<void>(dispatcher.run(rows, server.bind()));
    }
  });
  const auto count = static_cast<double>(requests.size());
  report.add(std::to_string(requests.size()) + " requests", way,
             {{"us_a_request", all / count},
              {"us_a_request_once_all_is_made", again / count},
              {"buckets", buckets.sizes().size()},
              {"padding", dispatch::padding_of(buckets, requests).share()},
              {"held_bytes", dispatcher.counts().bytes + dispatcher.arena_bytes()}});
}

void measure_traffic(bench::Report& report, const Server& server, const Costs& costs,
                     std::size_t driver_bytes) {
  const auto requests = make_requests(static_cast<std::size_t>(report.options().runs(4000, 20)));
  std::vector<std::int64_t> every;
  std::vector<std::int64_t> powers;
  for (std::int64_t rows = 1; rows <= most_rows; ++rows) every.push_back(rows);
  for (std::int64_t rows = 1; rows <= most_rows; rows *= 2) powers.push_back(rows);
  serve(report, server, "eager", dispatch::Buckets(), requests);
  serve(report, server, "a bucket for every size", dispatch::Buckets(every), requests);
  serve(report, server, "powers of two", dispatch::Buckets(powers), requests);
  serve(report, server, "planned", plan_for(requests, costs, driver_bytes), requests);
}

// Inputs of 32 MiB, each read k times: as long as its copy, about.
void measure_overlap(bench::Report& report) {
  constexpr std::int64_t n = std::int64_t{1} << 22;
  const int inputs = report.options().runs(60, 3);
  auto sweeps = gyre::compile(gyre::text::parse_program("sweeps", sweeps_text),
                              {.executor = device, .overlap = gyre::Overlap::Queue});
  gyre::InputRing x(sweeps, "x", {n});
  // What is sent was put there before: the copy to the device alone is measured.
  const auto send = [&] { x.fill<double>([](std::span<double>) {}); };
  for (const int k : {20, 60, 120}) {
    sweeps.set("k", k);
    for (int i = 0; i < 4; ++i) {
      send();
      static_cast<void>(sweeps.run());
    }
    const double launch = bench::median(bench::sample(2, report.options().runs(20, 2), [&] {
      return microseconds([&] { static_cast<void>(sweeps.run()); });
    }));
    const double in_turn = microseconds([&] {
      for (int i = 0; i < inputs; ++i) {
        send();
        static_cast<void>(sweeps.run());
      }
    });
    const double overlapped = microseconds([&] {
      std::vector<gyre::Launch> launches;
      for (int i = 0; i < inputs; ++i) {
        send();
        launches.push_back(sweeps.launch());
      }
      for (auto& one : launches) static_cast<void>(one.result());
    });
    report.add("inputs of 32 MiB, read " + std::to_string(k) + " times", device,
               {{"launch_us", launch},
                {"copy_then_launch_us", in_turn / inputs},
                {"copied_ahead_us", overlapped / inputs}});
  }
}

void measure(bench::Report& report) {
  const Server server;
  const Costs costs = measure_costs(report, server);
  const std::size_t driver_bytes = measure_memory(report, server);
  measure_traffic(report, server, costs, driver_bytes);
  measure_overlap(report);
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words, {"shape_dispatch", "what buckets cost and save", "microseconds of the host"},
      measure);
}
