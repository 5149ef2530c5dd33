// What do scans, sorts and selections cost, and what by CUB?
//
// Lists of f32 and i32 that lie on the GPU, by the GPU's clock: what a launch takes there once the
// host has put it on a stream. A launch of gyre tells its result besides. CUB is called on a
// stream, as its users do, and once more from a graph that was recorded of the same calls. Where
// gyre::cub is built, sorts and scans are also calls of CUB within a program of gyre: decided by
// length, as `library` does, and whatever the length, which shows from where on that pays. Each way
// is checked against the standard library.
#include "rivals/primitives.hpp"

#include "gyre/gyre.hpp"
#ifdef GYRE_BENCH_HAS_CUB
#include "gyre/libraries/cub.hpp"
#endif
#include "rivals/graph.hpp"
#include "support/clock.hpp"
#include "support/device_clock.hpp"
#include "support/gyre_executors.hpp"
#include "support/report.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace bench = gyre::bench;
using bench::rivals::Lists;

constexpr std::size_t bins = 100;
constexpr std::size_t places = 16;

struct Row {
  std::string primitive;
  std::string statement;
};

const std::vector<Row> rows = {
    {"scan", "scan(i in 0..n) indices = sum key[i]"},
    {"sort", "sort(i in 0..n) y = x[i]"},
    {"sort by key", "sort(i in 0..n) y, indices = x[i], i32(i) descending"},
    {"compact", "compact(i in 0..n) y, count = x[i] where x[i] > 0"},
    {"topk", "topk(i in 0..n) best, at = x[i]"},
    {"histogram", "histogram(i in 0..n) counts = key[i]"},
    {"reduce by key", "reduce_by_key(i in 0..n) indices, y, count = key[i], sum x[i]"},
};

// Distinct values, so that there is one right order, and runs of a few equal keys.
struct Data {
  std::vector<float> x;
  std::vector<std::int32_t> key;
  std::vector<float> sorted;

  explicit Data(std::size_t n) : x(n), key(n) {
    std::mt19937_64 random(7);
    std::iota(x.begin(), x.end(), -static_cast<float>(n / 2));
    sorted = x;
    std::shuffle(x.begin(), x.end(), random);
    std::int32_t one = 0;
    for (std::int32_t& each : key) {
      if (random() % 4 == 0) one = static_cast<std::int32_t>(random() % bins);
      each = one;
    }
  }
};

Lists make_lists(const Data& data) {
  const std::size_t n = data.x.size();
  return {bench::DeviceArray<float>(data.x),
          bench::DeviceArray<std::int32_t>(data.key),
          bench::DeviceArray<float>(n),
          bench::DeviceArray<std::int32_t>(n),
          bench::DeviceArray<std::int32_t>(bins),
          bench::DeviceArray<float>(places),
          bench::DeviceArray<std::int32_t>(places)};
}

void clear(Lists& lists) {
  lists.y.clear();
  lists.indices.clear();
  lists.counts.clear();
  lists.best.clear();
  lists.at.clear();
}

// Whether the lists hold what the standard library makes of the data; sums of floats differ by
// their order and are not looked at.
bool is_right(const std::string& primitive, const Data& data, const Lists& lists) {
  if (primitive == "sort") return lists.y.to_host() == data.sorted;
  std::vector<float> sorted(data.sorted.rbegin(), data.sorted.rend());
  if (primitive == "sort by key") return lists.y.to_host() == sorted;
  if (primitive == "topk") {
    sorted.resize(places);
    const auto best = lists.best.to_host();
    const auto at = lists.at.to_host();
    for (std::size_t i = 0; i < places; ++i) {
      if (data.x[static_cast<std::size_t>(at[i])] != best[i]) return false;
    }
    return best == sorted;
  }
  std::vector<std::int32_t> integers(data.key.size());
  if (primitive == "scan") {
    std::partial_sum(data.key.begin(), data.key.end(), integers.begin());
    return lists.indices.to_host() == integers;
  }
  if (primitive == "histogram") {
    integers.assign(bins, 0);
    for (const std::int32_t key : data.key) ++integers[static_cast<std::size_t>(key)];
    return lists.counts.to_host() == integers;
  }
  if (primitive == "reduce by key") {
    const auto end = std::unique_copy(data.key.begin(), data.key.end(), integers.begin());
    const auto keys = lists.indices.to_host();
    return std::equal(integers.begin(), end, keys.begin());
  }
  std::vector<float> kept;
  std::copy_if(data.x.begin(), data.x.end(), std::back_inserter(kept),
               [](float one) { return one > 0; });
  const auto y = lists.y.to_host();
  return std::equal(kept.begin(), kept.end(), y.begin());
}

// What gyre may call for a sort or a scan, under what its rows add to the executor's name.
struct Library {
  std::string suffix;
  std::shared_ptr<const gyre::ir::PrimitiveLibrary> library;
};

std::vector<Library> libraries_for(const Row& row) {
  std::vector<Library> libraries;
  libraries.push_back({"", nullptr});
#ifdef GYRE_BENCH_HAS_CUB
  if (row.primitive == "scan" || row.primitive == "sort" || row.primitive == "sort by key") {
    libraries.push_back({" with CUB", gyre::libraries::cub()});
    libraries.push_back(
        {" with CUB always", gyre::libraries::cub({.least_sort = 0, .least_scan = 0})});
  }
#else
  static_cast<void>(row);
#endif
  return libraries;
}

gyre::Executable make_executable(const Row& row, const std::string& executor,
                                 const Library& library, Lists& lists) {
  auto executable = gyre::compile(
      gyre::text::parse_program("primitives",
                                "program primitives(n: size, bins: size, places: size) {\n"
                                "  in x: f32[n], key: i32[n]\n"
                                "  inout y: f32[n], indices: i32[n], counts: i32[bins]\n"
                                "  inout best: f32[places], at: i32[places]\n"
                                "  var count: i64\n  " +
                                    row.statement + "\n}\n"),
      {.executor = executor, .library = library.library});
  const auto bind = [&](const char* name, auto& array) {
    executable.bind(name, array.data(), {static_cast<std::int64_t>(array.size())});
  };
  bind("x", lists.x);
  bind("key", lists.key);
  bind("y", lists.y);
  bind("indices", lists.indices);
  bind("counts", lists.counts);
  bind("best", lists.best);
  bind("at", lists.at);
  executable.prepare();
  return executable;
}

// Measures `put`, which puts work on a stream, and tells whether it was done right.
void add(bench::Report& report, const std::string& problem, const std::string& way, const Row& row,
         const Data& data, Lists& lists, const bench::rivals::PutWork& put) {
  if (!report.wants(problem, way)) return;
  const bench::BenchStream stream;
  bench::DeviceClock clock;
  clear(lists);
  const auto us = bench::sample(3, report.options().runs(30, 2), [&] {
    bench::rivals::put_pause(stream);
    return clock.microseconds(stream, [&] { put(stream); });
  });
  auto figures = bench::quantiles(us);
  figures["right"] = is_right(row.primitive, data, lists);
  report.add(problem, way, {{"n", data.x.size()}, {"us", figures}});
}

// Each way of gyre's that the machine offers.
void add_gyre(bench::Report& report, const std::string& problem, const Row& row, const Data& data,
              Lists& lists) {
  for (const std::string& executor : bench::gyre_gpu_executors()) {
    for (const Library& library : libraries_for(row)) {
      const std::string way = executor + library.suffix;
      try {
        auto executable = make_executable(row, executor, library, lists);
        std::optional<gyre::Launch> last;
        add(report, problem, way, row, data, lists, [&](cudaStream_t stream) {
          if (last) static_cast<void>(last->result());
          last.emplace(executable.launch(stream));
        });
      } catch (const gyre::Error& error) {
        report.leave_out(problem, way, error.what());
      }
    }
  }
}

void measure(bench::Report& report) {
  std::vector<std::size_t> sizes = {256, 1'000, 32'768, 131'072, 1'000'000, 16'000'000};
  if (report.options().quick) sizes = {1'000};
  for (const std::size_t n : sizes) {
    const Data data(n);
    Lists lists = make_lists(data);
    for (const Row& row : rows) {
      const std::string problem = row.primitive + ", " + std::to_string(n);
      const auto cub = bench::rivals::make_cub_work(row.primitive, lists);
      add(report, problem, "CUB", row, data, lists, cub);
      const bench::BenchStream recording;
      const auto graph = bench::rivals::record_graph(recording, [&] { cub(recording); });
      add(report, problem, "CUB, from a graph", row, data, lists,
          [&](cudaStream_t stream) { bench::must(cudaGraphLaunch(graph.get(), stream)); });
      add_gyre(report, problem, row, data, lists);
    }
  }
}

}  // namespace

int main(int count, char** words) {
  return bench::run_gpu_bench(
      count, words,
      {"primitives", "what scans, sorts and selections cost, and what by CUB", "microseconds"},
      measure);
}
