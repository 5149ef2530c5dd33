// Do all executors do the same, and how long do they take? CG on real matrices: trips, status and
// bits of the solution, host synchronisations, and microseconds a trip.
//
//     gpu_solves MATRIX.mtx ...
//
// One matrix after the other, the executors taking turns; a time is the median of several solves
// less that of a solve of no trips, divided by the trips. Buffers lie on the device for the GPU
// executors. Ends with 1 if any executor differs from cpu.
#include "gyre/cuda/context.hpp"
#include "gyre/cuda/memory.hpp"
#include "gyre/executors/cpu.hpp"
#include "gyre/executors/gpu.hpp"
#include "gyre/io/matrix_market.hpp"
#include "gyre/passes/pipeline.hpp"
#include "gyre/plan/make_plan.hpp"
#include "gyre/text/parser.hpp"
#include "support/cg_program.hpp"
#include "support/report.hpp"

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using gyre::ir::ScalarType;
namespace executors = gyre::executors;
namespace cuda = gyre::cuda;

constexpr int runs = 5;

struct Way {
  std::string name;
  std::unique_ptr<executors::Executor> executor;
  bool on_device;
};

std::vector<Way> make_ways(const std::shared_ptr<const gyre::plan::Plan>& plan) {
  using Flag = executors::HostBranchOptions::Flag;
  std::vector<Way> ways;
  ways.push_back({"cpu", executors::make_cpu_executor(plan, {}), false});
  ways.push_back({"device_graph", executors::make_device_graph_executor(plan), true});
  const auto host_branch = [&](const std::string& name, executors::HostBranchOptions options) {
    ways.push_back({name, executors::make_host_branch_executor(plan, options), true});
  };
  host_branch("host_branch pageable", {Flag::Pageable, false, 1});
  host_branch("host_branch pinned", {Flag::Pinned, false, 1});
  host_branch("host_branch polled", {Flag::Polled, false, 1});
  host_branch("host_branch polled, segment graphs", {Flag::Polled, true, 1});
  host_branch("host_branch polled, segment graphs, every 8 trips", {Flag::Polled, true, 8});
  return ways;
}

/// The system A x = b, b = 1, on the host, and on the device as a copy.
class System {
 public:
  explicit System(gyre::io::CsrMatrix matrix)
      : matrix_(std::move(matrix)), b_(static_cast<std::size_t>(matrix_.rows), 1.0) {
    put(matrix_.row.data(), matrix_.row.size() * 4, row_);
    put(matrix_.col.data(), matrix_.col.size() * 4, col_);
    put(matrix_.val.data(), matrix_.val.size() * 8, val_);
    put(b_.data(), b_.size() * 8, b_device_);
    x_ = cuda::DeviceMemory(b_.size() * 8);
  }

  std::int64_t rows() const { return matrix_.rows; }
  std::int64_t entries() const { return static_cast<std::int64_t>(matrix_.val.size()); }

  struct Solve {
    gyre::ir::Outcome outcome;
    std::vector<double> x;
    double seconds = 0;
  };

  Solve solve(const Way& way, const gyre::plan::Plan& plan, int max_trips) {
    Solve made{{}, std::vector<double>(b_.size()), 0};
    gyre::ir::Arguments arguments;
    const auto give = [&](const char* name, ScalarType type, std::int64_t count, const void* host,
                          const cuda::DeviceMemory& device) {
      void* data =
          way.on_device ? reinterpret_cast<void*>(device.address()) : const_cast<void*>(host);
      arguments.buffers[name] = {type, {count}, data};
    };
    give("row", ScalarType::I32, rows() + 1, matrix_.row.data(), row_);
    give("col", ScalarType::I32, entries(), matrix_.col.data(), col_);
    give("val", ScalarType::F64, entries(), matrix_.val.data(), val_);
    give("b", ScalarType::F64, rows(), b_.data(), b_device_);
    give("x", ScalarType::F64, rows(), made.x.data(), x_);
    arguments.scalars["rtol"] = gyre::ir::Value(1e-8);
    arguments.scalars["max_trips"] = gyre::ir::Value(std::int32_t{max_trips});
    cuda::clear(x_, stream_);
    stream_.synchronize();
    const auto bound = gyre::ir::resolve(plan.symbols, arguments);
    way.executor->prepare(bound, {});
    made.seconds = gyre::bench::seconds([&] { made.outcome = way.executor->run(bound, {}); });
    if (way.on_device) {
      cuda::copy_to_host(made.x.data(), x_, x_.bytes(), stream_);
      stream_.synchronize();
    }
    return made;
  }

 private:
  void put(const void* values, std::size_t bytes, cuda::DeviceMemory& memory) {
    memory = cuda::DeviceMemory(bytes);
    cuda::copy_to_device(memory, values, bytes, stream_);
    stream_.synchronize();
  }

  gyre::io::CsrMatrix matrix_;
  std::vector<double> b_;
  cuda::Stream stream_;
  cuda::DeviceMemory row_, col_, val_, b_device_, x_;
};

std::uint64_t bits_of(const std::vector<double>& values) {
  std::uint64_t hash = 1469598103934665603ULL;
  for (const double value : values) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    hash = (hash ^ bits) * 1099511628211ULL;
  }
  return hash;
}

bool same_outcome(const gyre::ir::Outcome& a, const gyre::ir::Outcome& b) {
  return a.status == b.status && a.trips == b.trips &&
         a.scalars.at("trips").bits() == b.scalars.at("trips").bits() &&
         a.scalars.at("rr").bits() == b.scalars.at("rr").bits();
}

}  // namespace

int main(int count, char** names) {
  if (const std::string reason = executors::why_no_device_graph(); !reason.empty()) {
    std::printf("no GPU to measure: %s\n", reason.c_str());
    return 77;
  }
  const nlohmann::json machine = gyre::bench::machine_facts();
  const cuda::Context context;
  const cuda::CurrentContext current(context);
  const auto plan = std::make_shared<const gyre::plan::Plan>(gyre::plan::make_plan(
      gyre::passes::run_passes(gyre::text::parse_program("cg", gyre::bench::cg_text))));
  nlohmann::json rows = nlohmann::json::array();
  bool all_agree = true;

  for (int i = 1; i < count; ++i) {
    const std::string matrix = std::filesystem::path(names[i]).stem();
    System system(gyre::io::read_matrix(names[i]));
    std::vector<Way> ways = make_ways(plan);
    const auto reference = system.solve(ways.front(), *plan, 5000);
    const auto trips = reference.outcome.scalars.at("trips").as<std::int32_t>();
    std::vector<std::vector<double>> times(ways.size());
    for (int run = 0; run < runs; ++run) {
      for (std::size_t way = 0; way < ways.size(); ++way) {
        const double none = system.solve(ways[way], *plan, 0).seconds;
        times[way].push_back(system.solve(ways[way], *plan, 5000).seconds - none);
      }
    }
    for (std::size_t way = 0; way < ways.size(); ++way) {
      const auto solve = system.solve(ways[way], *plan, 5000);
      const bool agrees = same_outcome(reference.outcome, solve.outcome) &&
                          bits_of(reference.x) == bits_of(solve.x);
      all_agree = all_agree && agrees;
      const double us = trips == 0 ? 0 : gyre::bench::median(times[way]) * 1e6 / trips;
      std::printf("%-16s %-52s %6d trips %6llu syncs %9.2f us a trip %s\n", matrix.c_str(),
                  ways[way].name.c_str(), trips,
                  static_cast<unsigned long long>(solve.outcome.host_syncs), us,
                  agrees ? "same bits" : "DIFFERS");
      rows.push_back({{"matrix", matrix},
                      {"rows", system.rows()},
                      {"entries", system.entries()},
                      {"executor", ways[way].name},
                      {"trips", trips},
                      {"status", std::string(gyre::ir::name_of(solve.outcome.status))},
                      {"host_syncs", solve.outcome.host_syncs},
                      {"same_bits_as_cpu", agrees},
                      {"us_per_trip", us}});
    }
  }
  gyre::bench::write_results(
      "gpu_solves", {{"question", "CG on real matrices: the same on every executor, and how fast"},
                     {"unit", "microseconds a trip, median of 5 solves less a solve of no trips"},
                     {"machine", machine},
                     {"rows", rows}});
  return all_agree ? 0 : 1;
}
