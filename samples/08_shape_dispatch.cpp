// Requests of any number of rows: which sizes are worth making ready, and running each request in
// the next larger one. Rows behind the live ones are padding, and the program leaves them alone.
#include <gyre/dispatch/dispatcher.hpp>
#include <gyre/dispatch/plan_buckets.hpp>
#include <gyre/gyre.hpp>

#include <cstdio>
#include <vector>

namespace dispatch = gyre::dispatch;

// Each row is halved until it is below 1: rows take trips of their own.
constexpr auto text = R"(
program settle(n: size) {
  in    live: i64
  inout x: f64[n]
  out   trips: i32
  while any(i in 0..n) (i < live && x[i] >= 1.0) {
    foreach i in 0..n {
      if i < live && x[i] >= 1.0 { x[i] *= 0.5 }
    }
    trips += 1
  }
}
)";

int main() {
  // Batches of these sizes come so often; what a size costs is measured, or as here a model.
  const dispatch::Histogram requests = {{1, 900}, {3, 400}, {5, 2}, {8, 700}};
  const dispatch::SizeCosts costs = {
      .capture = [](auto) { return 600.0; },
      .replay = [](auto rows) { return 10.0 + 0.2 * static_cast<double>(rows); },
      .eager = [](auto rows) { return 30.0 + 0.2 * static_cast<double>(rows); },
      .bytes = [](auto rows) { return 4096 * static_cast<std::size_t>(rows); }};
  const auto plan = dispatch::plan_buckets(requests, costs, 64 << 10);
  const dispatch::Buckets buckets = plan.sizes();
  std::printf("buckets:");
  for (const auto rows : buckets.sizes()) std::printf(" %lld", static_cast<long long>(rows));
  std::printf("; %.1f ms instead of %.1f\n", plan.microseconds / 1e3,
              plan.eager_microseconds / 1e3);

  dispatch::Dispatcher settle(gyre::parse_program("settle.gyre", text),
                              {.buckets = buckets, .limits = {.bytes = 64 << 20}});
  bool right = true;
  for (const std::int64_t live : {1, 3, 2, 8, 20, 7}) {
    std::vector<double> x(32, 100.0);
    const auto answer = settle.run(live, [&](gyre::Executable& executable, std::int64_t rows) {
      executable.bind("x", std::span(x).first(static_cast<std::size_t>(rows)));
    });
    std::printf("%2lld live rows ran as %2lld%s\n", static_cast<long long>(live),
                static_cast<long long>(answer->rows), answer->eager ? ", eagerly" : "");
    // 100 / 2^7 is the first below 1.
    right = right && answer->result.get<std::int32_t>("trips") == 7;
    for (std::size_t i = 0; i < x.size(); ++i) {
      right = right && x[i] == (i < static_cast<std::size_t>(live) ? 0.78125 : 100.0);
    }
  }
  const auto counts = settle.counts();
  std::printf("made %llu, hit %llu times\n", static_cast<unsigned long long>(counts.made),
              static_cast<unsigned long long>(counts.hits));
  return right ? 0 : 1;
}
