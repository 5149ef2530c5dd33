#include "gyre/executors/measure_costs.hpp"

#include "cost_timer.hpp"
#include "decision_flags.hpp"
#include "device_module.hpp"
#include "gyre/base/error.hpp"
#include "gyre/executors/gpu.hpp"
#include "measure_sweeps.hpp"
#include "primitives.hpp"

#include <algorithm>

namespace gyre::executors {
namespace {

/// Measures one cost after the other; later ones are what is left when earlier ones are taken off.
class MeasureCosts {
 public:
  explicit MeasureCosts(const MeasureOptions& options)
      : facts_(cuda::read_device_facts()), primitives_(facts_), timer_(options, primitives_) {
    table_.device = facts_.name;
  }

  plan::CostTable run() {
    measure_kernels();
    measure_loops_and_branches();
    measure_host();
    measure_launches();
    measure_barriers();
    measure_memory();
    measure_sweeps(timer_, primitives_, facts_, table_);
    return table_;
  }

 private:
  using Count = CostTimer::Count;

  void measure_kernels() {
    table_.graph_kernel = timer_.per_node([](Chain& chain, Count) { chain.add("gyre_work"); });
    table_.empty_kernel = timer_.per_node([](Chain& chain, Count) { chain.add("gyre_empty"); });
    table_.guarded_off_kernel = timer_.per_node(
        [this](Chain& chain, Count) { chain.add("gyre_guarded_work", primitives_.zero()); });
    table_.programmatic_kernel =
        facts_.has_clusters() ? timer_.per_node([this](Chain& chain, Count) {
          chain.add_kernel("gyre_work_early", Primitives::every_float, true, primitives_.data());
        })
                              : table_.graph_kernel;
    const double with_ticket = timer_.per_node(
        [this](Chain& chain, Count) { chain.add("gyre_ticket", primitives_.count()); });
    table_.last_block_ticket = CostTimer::above(with_ticket, table_.graph_kernel);
  }

  void measure_loops_and_branches() {
    const double plain_trip = timer_.per_trip([](Chain& body) {
      body.add("gyre_work");
      body.add("gyre_work");
    });
    table_.while_trip = CostTimer::above(plain_trip, 3 * table_.graph_kernel);

    const auto branch = [&](cuda::ConditionalKind kind, unsigned arms, unsigned first,
                            unsigned count) {
      const double trip = timer_.per_trip([&](Chain& body) {
        body.add_branch(kind, arms, first, count);
        body.add("gyre_work");
      });
      return CostTimer::above(trip, plain_trip);
    };
    table_.if_not_taken = branch(cuda::ConditionalKind::If, 1, 0, 1);
    table_.if_taken =
        CostTimer::above(branch(cuda::ConditionalKind::If, 1, 1, 1), table_.graph_kernel);
    const auto one_of = [&](unsigned arms) {
      return facts_.has_switch()
                 ? CostTimer::above(branch(cuda::ConditionalKind::Switch, arms, 0, arms),
                                    table_.graph_kernel)
                 : table_.if_taken + (arms - 1) * table_.if_not_taken;
    };
    table_.if_else = one_of(2);
    table_.switch_of_8 = one_of(8);
    table_.switch_of_64 = one_of(64);
  }

  void measure_host() {
    table_.host_kernel = timer_.per_item([&](Count count) {
      return timer_.time_of([&] {
        for (Count i = 0; i < count; ++i) {
          primitives_.launch("gyre_work", Primitives::every_float, primitives_.data());
        }
      });
    });
    table_.item_pageable = measure_item(HostBranchOptions::Flag::Pageable);
    table_.item_pinned = measure_item(HostBranchOptions::Flag::Pinned);
    table_.item_polled = measure_item(HostBranchOptions::Flag::Polled);
  }

  double measure_item(HostBranchOptions::Flag flag) const {
    DecisionFlags flags(flag, 1);
    const Attention nobody({}, {}, {});
    const double decision = timer_.per_item([&](Count count) {
      return timer_.time_of([&] {
        for (Count i = 0; i < count; ++i) {
          primitives_.launch("gyre_answer", Primitives::every_float, primitives_.data(),
                             flags.address(0));
          flags.read(0, primitives_.stream(), nobody);
        }
      });
    });
    return CostTimer::above(decision, table_.host_kernel);
  }

  void measure_launches() {
    const auto one_kernel = [](Chain& chain) { chain.add("gyre_work"); };
    const auto one_trip = [](Chain& chain) {
      chain.add_loop(1, [](Chain& body) {
        body.add("gyre_work");
        body.add("gyre_work");
      });
    };
    table_.launch_and_wait = timer_.time_of_graph(one_kernel);
    table_.launch_and_wait_while = timer_.time_of_graph(one_trip);
    table_.launch_call = measure_launch_call(timer_.instantiate(one_kernel));
    table_.launch_call_while = measure_launch_call(timer_.instantiate(one_trip));
  }

  double measure_launch_call(const cuda::GraphExec& exec) const {
    return timer_.typical([&] {
      const double begin = now_us();
      exec.launch(primitives_.stream());
      const double end = now_us();
      primitives_.stream().synchronize();
      return end - begin;
    });
  }

  void measure_barriers() {
    const auto barrier = [&](const char* kernel, const cuda::LaunchShape& shape) {
      return timer_.per_item([&](Count count) {
        return timer_.time_of([&] { primitives_.launch(kernel, shape, count); });
      });
    };
    table_.block_barrier = barrier("gyre_block_barriers", {.block_x = 1024});
    table_.grid_barrier = facts_.cooperative_launch ? measure_grid_barrier() : table_.graph_kernel;
    table_.cluster_barrier =
        facts_.has_clusters()
            ? barrier("gyre_cluster_barriers", {.grid_x = 8, .block_x = 1024, .cluster_x = 8})
            : table_.grid_barrier;
  }

  double measure_grid_barrier() const {
    const cuda::LaunchShape shape = {
        .grid_x = static_cast<unsigned>(facts_.sm_count), .block_x = 256, .cooperative = true};
    const cuda::DeviceMemory arrived(sizeof(unsigned));
    return timer_.per_item([&](Count count) {
      return timer_.time_of([&] {
        cuda::clear(arrived, primitives_.stream());
        primitives_.launch("gyre_grid_barriers", shape, arrived.address(), count);
      });
    });
  }

  void measure_memory() {
    // Much more than any cache holds, where there is as much.
    const std::size_t most = std::size_t{512} << 20;
    const std::size_t bytes = std::clamp(cuda::memory_info().free_bytes / 4, most / 512, most);
    const cuda::DeviceMemory from(bytes);
    const cuda::DeviceMemory to(bytes);
    const auto copy = [&](std::size_t length) {
      return timer_.time_of([&] { cuda::copy_on_device(to, from, length, primitives_.stream()); });
    };
    const double whole = copy(bytes);
    const double half = CostTimer::above(whole, copy(bytes / 2));
    table_.bytes_per_microsecond =
        half > 0 ? static_cast<double>(bytes) / half : 2 * static_cast<double>(bytes) / whole;
  }

  cuda::DeviceFacts facts_;
  Primitives primitives_;
  CostTimer timer_;
  plan::CostTable table_;
};

}  // namespace

plan::CostTable measure_costs(const MeasureOptions& options) {
  if (const std::string reason = why_no_device_graph(); !reason.empty()) {
    throw EnvironmentError("costs cannot be measured here: " + reason);
  }
  const cuda::CurrentContext current(device_context());
  return MeasureCosts(options).run();
}

}  // namespace gyre::executors
