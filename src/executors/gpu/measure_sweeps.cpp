#include "measure_sweeps.hpp"

#include <algorithm>
#include <string>

namespace gyre::executors {
namespace {

/// Points, each with a value and a row: more than a multiprocessor keeps near it.
constexpr cuda::LaunchShape every_point = {.grid_x = 256, .block_x = 256};
constexpr unsigned points = every_point.grid_x * every_point.block_x;
constexpr unsigned row_entries = 5;
/// The head of a state, and the partials of two folds.
constexpr std::size_t state_bytes = 20480;

/// Threads of a block that owns its points.
constexpr unsigned owner_threads = 512;
constexpr unsigned cluster_blocks = 8;
/// A kernel in a graph: small enough that only its ends count.
constexpr cuda::LaunchShape small_kernel = {.grid_x = 16, .block_x = 256};

class MeasureSweeps {
 public:
  MeasureSweeps(const CostTimer& timer, const Primitives& primitives,
                const cuda::DeviceFacts& facts, plan::CostTable& table)
      : timer_(timer), primitives_(primitives), facts_(facts), table_(table) {
    cuda::clear(state_, primitives_.stream());
    cuda::clear(values_, primitives_.stream());
    primitives_.launch("gyre_prepare_sweeps", every_point, state_.address(), values_.address(),
                       places_.address(), begins_.address(), columns_.address(),
                       entries_.address());
  }

  void run() {
    measure_kernels();
    measure_crews();
    measure_memory();
  }

 private:
  void measure_kernels() {
    table_.kernel_sweep = timer_.per_node([this](Chain& chain, unsigned number) {
      const bool back = number % 2 != 0;
      chain.add_kernel("gyre_sweep", small_kernel, facts_.has_clusters(), state_.address(),
                       value(back), value(!back), places_.address());
    });
    const double fold = timer_.per_node([this](Chain& chain, unsigned number) {
      const bool back = number % 2 != 0;
      chain.add_kernel("gyre_fold", small_kernel, facts_.has_clusters(), state_.address(),
                       value(back), value(!back), places_.address(), number);
    });
    table_.kernel_fold = CostTimer::above(fold, table_.kernel_sweep);
  }

  void measure_crews() {
    measure("gyre_block_", {.block_x = owner_threads}, table_.block_trip, table_.block_sweep,
            table_.block_fold);
    table_.grid_trip = table_.grid_sweep = table_.kernel_sweep;
    table_.grid_fold = table_.kernel_fold;
    if (facts_.cooperative_launch) {
      const auto blocks = std::min(static_cast<unsigned>(facts_.sm_count), every_point.grid_x);
      measure("gyre_grid_", {.grid_x = blocks, .block_x = 256, .cooperative = true},
              table_.grid_trip, table_.grid_sweep, table_.grid_fold);
    }
    table_.cluster_trip = table_.grid_trip;
    table_.cluster_sweep = table_.grid_sweep;
    table_.cluster_fold = table_.grid_fold;
    if (facts_.has_clusters()) {
      measure("gyre_cluster_",
              {.grid_x = cluster_blocks, .block_x = owner_threads, .cluster_x = cluster_blocks},
              table_.cluster_trip, table_.cluster_sweep, table_.cluster_fold);
    }
  }

  // The costs of a crew, whose kernels' names begin alike.
  void measure(const std::string& crew, const cuda::LaunchShape& shape, double& trip, double& sweep,
               double& fold) const {
    trip = timer_.per_item([&](unsigned count) {
      return timer_.time_of(
          [&] { primitives_.launch((crew + "trips").c_str(), shape, state_.address(), count); });
    });
    sweep = sweep_of(crew + "sweeps", shape);
    fold = CostTimer::above(sweep_of(crew + "folds", shape), sweep);
  }

  void measure_memory() {
    table_.shared_bytes_per_microsecond = rate(1, rows("gyre_shared_rows"));
    table_.shared_bytes_by_four = rate(4, rows("gyre_shared_rows_by_four"));
    table_.cached_bytes_per_microsecond = rate(1, rows("gyre_cached_rows", points));
    table_.cached_bytes_by_four = rate(4, rows("gyre_cached_rows_by_four", points));
  }

  // One sweep of a crew.
  double sweep_of(const std::string& kernel, const cuda::LaunchShape& shape) const {
    return timer_.per_item([&](unsigned count) {
      return timer_.time_of([&] {
        primitives_.launch(kernel.c_str(), shape, state_.address(), value(false), value(true),
                           places_.address(), count);
      });
    });
  }

  // One sweep of a block over rows.
  template <class... All>
  double rows(const char* kernel, All... all) const {
    return timer_.per_item([&](unsigned count) {
      return timer_.time_of([&] {
        primitives_.launch(kernel, {.block_x = owner_threads}, begins_.address(),
                           columns_.address(), entries_.address(), value(false), value(true),
                           all..., count);
      });
    });
  }

  // What a row brings and leaves: its entries with their columns, where it begins, and an element
  // of each vector. The sweep itself has its own cost.
  double rate(unsigned each, double time) const {
    constexpr unsigned row_bytes = row_entries * 12 + 4 + 8 + 8;
    const double more = CostTimer::above(time, table_.block_sweep);
    return owner_threads * each * row_bytes / (more > 0 ? more : time);
  }

  CUdeviceptr value(bool second) const {
    return values_.address() + (second ? points * sizeof(double) : 0);
  }

  const CostTimer& timer_;
  const Primitives& primitives_;
  const cuda::DeviceFacts& facts_;
  plan::CostTable& table_;
  cuda::DeviceMemory state_{state_bytes};
  cuda::DeviceMemory values_{2 * points * sizeof(double)};
  cuda::DeviceMemory places_{points * sizeof(int)};
  cuda::DeviceMemory begins_{(points + 1) * sizeof(int)};
  cuda::DeviceMemory columns_{points * row_entries * sizeof(int)};
  cuda::DeviceMemory entries_{points * row_entries * sizeof(double)};
};

}  // namespace

void measure_sweeps(const CostTimer& timer, const Primitives& primitives,
                    const cuda::DeviceFacts& facts, plan::CostTable& table) {
  MeasureSweeps(timer, primitives, facts, table).run();
}

}  // namespace gyre::executors
