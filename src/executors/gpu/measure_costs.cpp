#include "gyre/executors/measure_costs.hpp"

#include "decision_flags.hpp"
#include "device_module.hpp"
#include "gyre/base/error.hpp"
#include "gyre/executors/gpu.hpp"
#include "primitives.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <vector>

namespace gyre::executors {
namespace {

double now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Measures one cost after the other; later ones are what is left when earlier ones are taken off.
class MeasureCosts {
 public:
  explicit MeasureCosts(const MeasureOptions& options)
      : options_(options), facts_(cuda::read_device_facts()), primitives_(facts_) {
    table_.device = facts_.name;
  }

  plan::CostTable run() {
    measure_kernels();
    measure_loops_and_branches();
    measure_host();
    measure_launches();
    measure_barriers();
    measure_memory();
    return table_;
  }

 private:
  using Count = unsigned;

  // The median of what `run` gives, the first time left out.
  double typical(const std::function<double()>& run) const {
    run();
    std::vector<double> times;
    const double end = now_us() + 1e6 * options_.seconds_each;
    while (times.size() < 3 || (now_us() < end && times.size() < 1000)) times.push_back(run());
    return median(std::move(times));
  }

  // Host time until what `start` puts on the stream is over.
  double time_of(const std::function<void()>& start) const {
    return typical([&] {
      const double begin = now_us();
      start();
      primitives_.stream().synchronize();
      return now_us() - begin;
    });
  }

  // What one more item costs: `time` of few and of many, so that what surrounds them falls out.
  // Where noise is more than that all of them tell, with what surrounds them: no cost is 0.
  double per_item(const std::function<double(Count)>& time) const {
    const Count many = std::max(2U, options_.items);
    const Count few = std::max(1U, many / 8);
    const double all = time(many);
    const double more = all - time(few);
    return more > 0 ? more / (many - few) : all / many;
  }

  cuda::GraphExec instantiate(const std::function<void(Chain&)>& fill) const {
    const cuda::Graph graph("costs");
    Chain chain(primitives_, graph.view());
    fill(chain);
    cuda::GraphExec exec(graph);
    exec.upload(primitives_.stream());
    return exec;
  }

  double time_of_graph(const std::function<void(Chain&)>& fill) const {
    const cuda::GraphExec exec = instantiate(fill);
    return time_of([&] { exec.launch(primitives_.stream()); });
  }

  // What one more node costs in a graph of them.
  double per_node(const std::function<void(Chain&)>& add) const {
    return per_item([&](Count count) {
      return time_of_graph([&](Chain& chain) {
        for (Count i = 0; i < count; ++i) add(chain);
      });
    });
  }

  // A trip of a loop with `fill` in its body.
  double per_trip(const std::function<void(Chain&)>& fill) const {
    return per_item([&](Count count) {
      return time_of_graph([&](Chain& chain) { chain.add_loop(count, fill); });
    });
  }

  static double above(double whole, double part) { return std::max(0.0, whole - part); }

  void measure_kernels() {
    table_.graph_kernel = per_node([](Chain& chain) { chain.add("gyre_work"); });
    table_.empty_kernel = per_node([](Chain& chain) { chain.add("gyre_empty"); });
    table_.guarded_off_kernel =
        per_node([this](Chain& chain) { chain.add("gyre_guarded_work", primitives_.zero()); });
    table_.programmatic_kernel = facts_.has_clusters()
                                     ? per_node([](Chain& chain) { chain.add_early_work(); })
                                     : table_.graph_kernel;
    const double with_ticket =
        per_node([this](Chain& chain) { chain.add("gyre_ticket", primitives_.count()); });
    table_.last_block_ticket = above(with_ticket, table_.graph_kernel);
  }

  void measure_loops_and_branches() {
    const double plain_trip = per_trip([](Chain& body) {
      body.add("gyre_work");
      body.add("gyre_work");
    });
    table_.while_trip = above(plain_trip, 3 * table_.graph_kernel);

    const auto branch = [&](cuda::ConditionalKind kind, unsigned arms, unsigned first,
                            unsigned count) {
      const double trip = per_trip([&](Chain& body) {
        body.add_branch(kind, arms, first, count);
        body.add("gyre_work");
      });
      return above(trip, plain_trip);
    };
    table_.if_not_taken = branch(cuda::ConditionalKind::If, 1, 0, 1);
    table_.if_taken = above(branch(cuda::ConditionalKind::If, 1, 1, 1), table_.graph_kernel);
    const auto one_of = [&](unsigned arms) {
      return facts_.has_switch()
                 ? above(branch(cuda::ConditionalKind::Switch, arms, 0, arms), table_.graph_kernel)
                 : table_.if_taken + (arms - 1) * table_.if_not_taken;
    };
    table_.if_else = one_of(2);
    table_.switch_of_8 = one_of(8);
    table_.switch_of_64 = one_of(64);
  }

  void measure_host() {
    table_.host_kernel = per_item([&](Count count) {
      return time_of([&] {
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
    const double decision = per_item([&](Count count) {
      return time_of([&] {
        for (Count i = 0; i < count; ++i) {
          primitives_.launch("gyre_answer", Primitives::every_float, primitives_.data(),
                             flags.address(0));
          flags.read(0, primitives_.stream(), nobody);
        }
      });
    });
    return above(decision, table_.host_kernel);
  }

  void measure_launches() {
    const auto one_kernel = [](Chain& chain) { chain.add("gyre_work"); };
    const auto one_trip = [](Chain& chain) {
      chain.add_loop(1, [](Chain& body) {
        body.add("gyre_work");
        body.add("gyre_work");
      });
    };
    table_.launch_and_wait = time_of_graph(one_kernel);
    table_.launch_and_wait_while = time_of_graph(one_trip);
    table_.launch_call = measure_launch_call(instantiate(one_kernel));
    table_.launch_call_while = measure_launch_call(instantiate(one_trip));
  }

  double measure_launch_call(const cuda::GraphExec& exec) const {
    return typical([&] {
      const double begin = now_us();
      exec.launch(primitives_.stream());
      const double end = now_us();
      primitives_.stream().synchronize();
      return end - begin;
    });
  }

  void measure_barriers() {
    const auto barrier = [&](const char* kernel, const cuda::LaunchShape& shape) {
      return per_item(
          [&](Count count) { return time_of([&] { primitives_.launch(kernel, shape, count); }); });
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
    return per_item([&](Count count) {
      return time_of([&] {
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
      return time_of([&] { cuda::copy_on_device(to, from, length, primitives_.stream()); });
    };
    const double whole = copy(bytes);
    const double half = above(whole, copy(bytes / 2));
    table_.bytes_per_microsecond =
        half > 0 ? static_cast<double>(bytes) / half : 2 * static_cast<double>(bytes) / whole;
  }

  MeasureOptions options_;
  cuda::DeviceFacts facts_;
  Primitives primitives_;
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
