// How much of the machine's copy bandwidth does conjugate gradients reach?
//
// Counted are the bytes that three fused kernels must move in a trip, 12 nnz + 4 (n + 1) + 88 n,
// against a copy within the GPU's memory, which reads and writes.
#include "rivals/fused_cg.hpp"
#include "support/clock.hpp"
#include "support/device_clock.hpp"
#include "support/gyre_cg.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"

#include <exception>
#include <string>

namespace {

namespace bench = gyre::bench;

// A time is that of a whole solve: of so many trips the set-up, about as long as one, is a
// hundredth.
constexpr int trips = 100;

// Far more than any cache holds.
constexpr std::size_t copied_bytes = std::size_t{2} << 30;

double bytes_per_us_of_copy(int runs) {
  const bench::DeviceArray<char> from(copied_bytes);
  const bench::DeviceArray<char> to(copied_bytes);
  const bench::BenchStream stream;
  bench::DeviceClock clock;
  const auto times = bench::sample(2, runs, [&] {
    return clock.microseconds(stream, [&] {
      bench::must(
          cudaMemcpyAsync(to.data(), from.data(), copied_bytes, cudaMemcpyDeviceToDevice, stream));
    });
  });
  return 2.0 * static_cast<double>(copied_bytes) / bench::median(times);
}

void run_way(bench::Report& report, bench::DeviceSystem& system, bench::SolveWay& way,
             double copy) {
  const std::string name = "n = " + std::to_string(system.rows());
  if (!report.wants(name, way.name())) return;
  try {
    way.prepare(system, {0, trips});
    const auto times = bench::sample(1, report.options().runs(5, 1), [&] {
      way.reset(system);
      return bench::microseconds([&] { way.solve(); });
    });
    const double reached = system.bytes_per_trip() * trips / bench::median(times);
    report.add(name, way.name(),
               {{"n", system.rows()},
                {"nnz", system.entries()},
                {"by", way.executor().empty() ? "rival" : "gyre"},
                {"trips", trips},
                {"us_per_trip", bench::quantiles_of_parts(times, trips)},
                {"gb_per_s", reached / 1e3},
                {"part_of_copy", reached / copy}});
  } catch (const std::exception& error) {
    report.leave_out(name, way.name(), error.what());
  }
}

void measure(bench::Report& report) {
  const double copy = bytes_per_us_of_copy(report.options().runs(20, 3));
  report.note("copy_gb_per_s", copy / 1e3);
  bench::SolveWays ways = bench::make_gyre_cgs(bench::auto_and(bench::gyre_gpu_executors()));
  ways.push_back(bench::rivals::make_straight_line_cg(false));
  ways.push_back(bench::rivals::make_cooperative_cg());
  for (const int side : {1024, 2048, 4096}) {
    if (report.options().quick && side > 1024) break;
    bench::DeviceSystem system(bench::Stencil{5, side});
    for (const auto& way : ways) run_way(report, system, *way, copy);
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"bandwidth", "how much of the copy bandwidth conjugate gradients reaches, 5 points", "GB/s"},
      measure);
}
