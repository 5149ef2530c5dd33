#include "cost_timer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

namespace gyre::executors {
namespace {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

double now_us() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double, std::micro>(now).count();
}

double CostTimer::typical(const std::function<double()>& run) const {
  run();
  std::vector<double> times;
  const double end = now_us() + 1e6 * options_.seconds_each;
  while (times.size() < 3 || (now_us() < end && times.size() < 1000)) times.push_back(run());
  return median(std::move(times));
}

double CostTimer::time_of(const std::function<void()>& start) const {
  return typical([&] {
    const double begin = now_us();
    start();
    primitives_.stream().synchronize();
    return now_us() - begin;
  });
}

double CostTimer::per_item(const std::function<double(Count)>& time) const {
  const Count many = std::max(2U, options_.items);
  const Count few = std::max(1U, many / 8);
  const double all = time(many);
  const double more = all - time(few);
  return more > 0 ? more / (many - few) : all / many;
}

cuda::GraphExec CostTimer::instantiate(const std::function<void(Chain&)>& fill) const {
  const cuda::Graph graph("costs");
  Chain chain(primitives_, graph.view());
  fill(chain);
  cuda::GraphExec exec(graph);
  exec.upload(primitives_.stream());
  return exec;
}

double CostTimer::time_of_graph(const std::function<void(Chain&)>& fill) const {
  const cuda::GraphExec exec = instantiate(fill);
  return time_of([&] { exec.launch(primitives_.stream()); });
}

double CostTimer::per_node(const std::function<void(Chain&, Count)>& add) const {
  return per_item([&](Count count) {
    return time_of_graph([&](Chain& chain) {
      for (Count i = 0; i < count; ++i) add(chain, i);
    });
  });
}

double CostTimer::per_trip(const std::function<void(Chain&)>& fill) const {
  return per_item([&](Count count) {
    return time_of_graph([&](Chain& chain) { chain.add_loop(count, fill); });
  });
}

}  // namespace gyre::executors
